/**
 * Paths of fields in a request body, such as loans[0].interestRate. Names chosen by the client are shortened, and
 * anything in them that looks like an API key is redacted, because responses repeat them.
 */

/** Stands for the whole body, where no field can be named. */
export const WHOLE_BODY = "body"
/** Most characters of a client's text that a response repeats. */
const MAX_ECHOED_CHARACTERS = 40

const KEY_LIKE = /slr_(sbx|live)_[A-Za-z0-9]*/gi

/** A name chosen by the client, redacted and shortened. */
const echo = (name: string): string => {
  const characters = [...name.slice(0, 2 * MAX_ECHOED_CHARACTERS).replace(KEY_LIKE, "slr_$1_(key)")]
  return characters.length <= MAX_ECHOED_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, MAX_ECHOED_CHARACTERS - 3).join("")}...`
}

export const fieldPath = (segments: ReadonlyArray<PropertyKey>): string => {
  let path = ""
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`
    else path += `${path === "" ? "" : "."}${echo(String(segment))}`
  }
  return path === "" ? WHOLE_BODY : path
}

/** Path of the plan in a request: in its scenario, or in that of an arm. */
export const planPath = (arm: number | null): string =>
  fieldPath([...(arm === null ? [] : ["arms", arm]), "scenario", "planType"])
