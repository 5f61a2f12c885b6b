/** Addresses as mail servers take them. Whether a text is one address at all, schema/keys.ts judges. */
import { domainToASCII } from "node:url"

/** Letters, digits, dots and hyphens only: what else a URL's host could hold is no domain. */
const INTERNATIONAL_DOMAIN = /@(?=[^@]*\P{ASCII})([\p{L}\p{M}\p{Nd}.-]+)$/u

/** With an international domain in its xn-- form; one that has none becomes no address. */
export const withAsciiDomain = (address: string): string =>
  address.trim().replace(INTERNATIONAL_DOMAIN, (_, domain: string) => `@${domainToASCII(domain)}`)
