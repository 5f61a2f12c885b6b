/**
 * Names a place in a request body as loans[0].interestRate. What the client named itself is shortened, and anything
 * that looks like an API key in it is blotted out, because these names go back in answers.
 */

/** The whole body, where no field can be named. */
export const WHOLE_BODY = "body"
/** Most characters of a client's own text that an answer repeats. */
const MAX_ECHOED_CHARACTERS = 40

const KEY_LIKE = /slr_(sbx|live)_[A-Za-z0-9]*/gi

/** A name that came from the client, fit to be repeated. */
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

/** Where a request names the plan: in its scenario, or in that of an arm. */
export const planPath = (arm: number | null): string =>
  fieldPath([...(arm === null ? [] : ["arms", arm]), "scenario", "planType"])
