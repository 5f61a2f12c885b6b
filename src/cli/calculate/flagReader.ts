/**
 * Reader of flag values into the fields of a request. It collects each problem under its flag, and
 * a summary of values read and assumed, for the user.
 */
import { Result } from "effect"
import { counted } from "../views/text.ts"
import type { FlagSpec } from "./flagSpec.ts"

/** The text of each flag on the command line, by the flag's name. */
export type Given = Readonly<Record<string, string | undefined>>

type Fields = Readonly<Record<string, unknown>>

/** The values of a repeated flag. */
export const linesOf = (text: string | undefined): ReadonlyArray<string> => text?.split("\n") ?? []

/** The prefix of a problem that names the loan; empty if there is only one loan. */
export const nameOfLoan = (index: number, count: number): string => (count === 1 ? "" : `loan ${index + 1}: `)

export class FlagReader {
  readonly problems = new Map<string, string>()
  readonly #read: Array<string> = []
  readonly #assumed = new Set<string>()

  /**
   * The request field of a flag. Empty if the flag is absent and optional, or has a problem. If
   * there are several loans, its problem begins with the loan's name.
   */
  field(spec: FlagSpec, text: string | undefined, loan = ""): Fields {
    if (text === undefined) return this.#absent(spec)
    const result = spec.read(text)
    if (Result.isFailure(result)) {
      if (!this.problems.has(spec.flag)) this.problems.set(spec.flag, `${loan}${result.failure}`)
      return {}
    }
    this.#read.push(spec.say(result.success))
    return { [spec.field]: result.success }
  }

  fields(specs: ReadonlyArray<FlagSpec>, given: Given): Fields {
    return Object.assign({}, ...specs.map((spec) => this.field(spec, given[spec.flag])))
  }

  /**
   * The loans that repeated flags describe, in order. Each flag is given for every loan or for
   * none, because otherwise it may belong to any loan.
   */
  loans(specs: ReadonlyArray<FlagSpec>, given: Given): ReadonlyArray<Fields> {
    const texts = specs.map(({ flag }) => linesOf(given[flag]))
    const count = Math.max(1, ...texts.map(({ length }) => length))
    const unpaired = specs.flatMap(({ flag }, index) => {
      const times = texts[index]!.length
      return times === 0 || times === count ? [] : [[flag, times] as const]
    })
    for (const [flag, times] of unpaired)
      this.problems.set(flag, `is given ${counted(times, "time")} for ${count} loans: send it for each loan, in order`)
    return Array.from({ length: count }, (_, loan) =>
      Object.assign(
        {},
        ...specs.map((spec, index) =>
          this.field(spec, texts[index]![loan] ?? texts[index]![0], nameOfLoan(loan, count))
        )
      )
    )
  }

  #absent(spec: FlagSpec): Fields {
    if (spec.absent === undefined) return {}
    if ("send" in spec.absent) {
      this.problems.set(spec.flag, `is required: send ${spec.absent.send}`)
      return {}
    }
    const { assumed } = spec.absent
    this.#assumed.add(`${spec.say(assumed)} (--${spec.flag})`)
    return { [spec.field]: assumed }
  }

  /** One line lists the values read, another those assumed. */
  get summary(): ReadonlyArray<string> {
    return [
      `Read: ${this.#read.join(", ")}.`,
      ...(this.#assumed.size === 0 ? [] : [`Assumed: ${[...this.#assumed].join(", ")}.`])
    ]
  }
}
