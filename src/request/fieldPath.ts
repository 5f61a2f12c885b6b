/**
 * Paths of fields in a request body, such as loans[0].interestRate. Responses repeat the client's
 * names, so these are shortened, made printable, and cleared of anything like an API key.
 */

/** Stands for the whole body, if no field can be named. */
export const WHOLE_BODY = "body"
/** Maximum number of characters of a client's text that a response repeats. */
const MAX_ECHOED_CHARACTERS = 40

const KEY_LIKE = /slr_(sbx|live)_[A-Za-z0-9]*/gi

/** Replaces control characters and text direction marks with question marks. */
export const harmless = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")

/** Text chosen by the client: redacted, printable and shortened. */
export const echo = (text: string, most = MAX_ECHOED_CHARACTERS): string => {
  const characters = [...harmless(text.slice(0, 2 * most).replace(KEY_LIKE, "slr_$1_(key)"))]
  if (characters.length > most) characters.splice(most - 3, Number.POSITIVE_INFINITY, "...")
  return characters.join("")
}

export const fieldPath = (segments: ReadonlyArray<PropertyKey>): string => {
  let path = ""
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`
    else path += `${path === "" ? "" : "."}${echo(String(segment))}`
  }
  return path === "" ? WHOLE_BODY : path
}

/** Path of the plan in a request: in its scenario, or in that of an arm, or in one of its changes of plan. */
export const planPath = (arm: number | null, change: number | null): string =>
  fieldPath([
    ...(arm === null ? [] : ["arms", arm]),
    "scenario",
    ...(change === null ? [] : ["planChanges", change]),
    "planType"
  ])
