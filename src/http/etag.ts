/**
 * Conditional requests on a strong ETag. If-None-Match compares weakly (RFC 9110, 13.1.2); a version without quotes
 * matches too.
 */

export const etagOf = (version: string): string => `"${version}"`

const opaque = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")

/** More tags than anybody keeps; the rest is not looked at. */
const MOST_TAGS = 32

export const matchesEtag = (ifNoneMatch: string | undefined, version: string): boolean =>
  ifNoneMatch?.split(",", MOST_TAGS).some((tag) => tag.trim() === "*" || opaque(tag) === version) ?? false
