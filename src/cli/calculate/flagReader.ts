/**
 * Reader of flag values into the fields of a request. It collects each problem under its flag, and
 * a summary of values read and assumed, for the user.
 */
import { Result } from "effect"
import type { FlagSpec } from "./flagSpec.ts"

/** The text of each flag on the command line, by the flag's name. */
export type Given = Readonly<Record<string, string | undefined>>

type Fields = Readonly<Record<string, unknown>>

const assumedPhrase = (spec: FlagSpec, because: string | undefined, phrase: string): string =>
  `${phrase} (--${spec.flag}${because === undefined ? "" : `: ${because}`})`

export class FlagReader {
  readonly problems = new Map<string, string>()
  readonly #read: Array<string> = []
  readonly #assumed: Array<string> = []

  /** The request field of a flag. Empty if the flag is absent and optional, or has a problem. */
  field(spec: FlagSpec, text: string | undefined): Fields {
    if (text === undefined) return this.#absent(spec)
    const result = spec.read(text)
    if (Result.isFailure(result)) {
      this.problems.set(spec.flag, result.failure)
      return {}
    }
    this.#read.push(spec.say(result.success))
    return { [spec.field]: result.success }
  }

  fields(specs: ReadonlyArray<FlagSpec>, given: Given): Fields {
    return Object.assign({}, ...specs.map((spec) => this.field(spec, given[spec.flag])))
  }

  #absent(spec: FlagSpec): Fields {
    if (spec.absent === undefined) return {}
    if ("send" in spec.absent) {
      this.problems.set(spec.flag, `is required: send ${spec.absent.send}`)
      return {}
    }
    const { assumed, because } = spec.absent
    this.#assumed.push(assumedPhrase(spec, because, spec.say(assumed)))
    return { [spec.field]: assumed }
  }

  /** One line for the values read, one for those assumed. */
  get summary(): ReadonlyArray<string> {
    return [
      `Read: ${this.#read.join(", ")}.`,
      ...(this.#assumed.length === 0 ? [] : [`Assumed (other facts give other figures): ${this.#assumed.join(", ")}.`])
    ]
  }
}
