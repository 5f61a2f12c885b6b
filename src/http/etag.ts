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

export const matchesEtag = (ifNoneMatch: string | undefined, version: string): boolean =>
  ifNoneMatch?.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === version) ?? false
