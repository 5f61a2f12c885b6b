/**
 * Content negotiation. Chooses the form of a record (JSON, unless Accept names text/html), and
 * finds the responses that depend on Accept-Encoding.
 */

/** Whether responses of this type are compressed for clients that accept it. */
export const isCompressible = (contentType: string): boolean =>
  /^(text\/(?!event-stream)|application\/([a-z.-]+\+)?json)/.test(contentType)

interface Range {
  readonly type: string
  readonly weight: number
}

const parseRange = (text: string): Range => {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  return { type, weight: weight === undefined ? 1 : Number.parseFloat(weight) || 0 }
}

/** True when text/html is named with a quality of at least that of application/json. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const ranges = (accept ?? "").split(",").map(parseRange)
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0
  return weightOf("text/html") > 0 && weightOf("text/html") >= weightOf("application/json")
}
