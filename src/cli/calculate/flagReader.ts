/**
 * Reads the facts that flags tell into the objects of a request. Every problem is collected by its flag, and every fact
 * is said in words, so that whoever asked sees what was read and what was assumed.
 */
import { Result } from "effect"
import type { Fact } from "./flagSpec.ts"

/** The text of each flag that was given, by its name. */
export type Given = Readonly<Record<string, string | undefined>>

type Fields = Readonly<Record<string, unknown>>

const assumedPhrase = (fact: Fact, because: string | undefined, phrase: string): string =>
  `${phrase} (--${fact.flag}${because === undefined ? "" : `: ${because}`})`

export class FactReader {
  readonly problems = new Map<string, string>()
  readonly #read: Array<string> = []
  readonly #assumed: Array<string> = []

  /** The field that a fact is sent as: none if it is absent and may be, or has a problem. */
  field(fact: Fact, text: string | undefined): Fields {
    if (text === undefined) return this.#absent(fact)
    const result = fact.read(text)
    if (Result.isFailure(result)) {
      this.problems.set(fact.flag, result.failure)
      return {}
    }
    this.#read.push(fact.say(result.success))
    return { [fact.field]: result.success }
  }

  fields(facts: ReadonlyArray<Fact>, given: Given): Fields {
    return Object.assign({}, ...facts.map((fact) => this.field(fact, given[fact.flag])))
  }

  #absent(fact: Fact): Fields {
    if (fact.absent === undefined) return {}
    if ("send" in fact.absent) {
      this.problems.set(fact.flag, `is required: send ${fact.absent.send}`)
      return {}
    }
    const { assumed, because } = fact.absent
    this.#assumed.push(assumedPhrase(fact, because, fact.say(assumed)))
    return { [fact.field]: assumed }
  }

  /** What was read and what was assumed, one line each. */
  get said(): ReadonlyArray<string> {
    return [
      `Read: ${this.#read.join(", ")}.`,
      ...(this.#assumed.length === 0
        ? []
        : [`Assumed, and other facts give other figures: ${this.#assumed.join(", ")}.`])
    ]
  }
}
