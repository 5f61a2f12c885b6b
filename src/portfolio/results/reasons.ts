/** The kinds of reasons for rejected rows, most common first. */

export interface Reason {
  /** Field without loan indexes: `loans[].interestRate`. */
  readonly field: string
  /** The message of the first line with this reason. Others may differ in their numbers. */
  readonly problem: string
  /** Rejected lines with this reason. */
  readonly lines: number
  /** The place of the first of them. */
  readonly file: string
  readonly row: number
}

/** Limit of kinds. Further ones are not counted: names of unknown fields come from the input. */
const MAX_KINDS = 1000

/** Numbers and dates in a message, which quote the input or a place in it. */
const VALUES = /\d[\d.,]*( [A-Z]\w+ \d{4})?/g

interface Rejection extends Pick<Reason, "file" | "row"> {
  readonly problems: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The reasons of a line, each once, by kind. */
const reasonsOf = ({ file, problems, row }: Rejection): ReadonlyMap<string, Reason> =>
  new Map(
    Object.entries(problems).flatMap(([path, messages]) => {
      const field = path.replaceAll(/\[\d+\]/g, "[]")
      return messages.map((problem) => {
        const kind = JSON.stringify([field, problem.replaceAll(VALUES, "0")])
        return [kind, { field, problem, lines: 1, file, row }] as const
      })
    })
  )

/** Counts the reasons of rejected lines, in the order of the input. */
export class ReasonTally {
  private readonly kinds = new Map<string, Reason>()

  /** @param rejected lines of JSON, each with its line break */
  add(rejected: string): void {
    const lines = rejected.split("\n").slice(0, -1)
    for (const [kind, reason] of lines.flatMap((line) => [...reasonsOf(JSON.parse(line))])) {
      const before = this.kinds.get(kind)
      if (before !== undefined) this.kinds.set(kind, { ...before, lines: before.lines + 1 })
      else if (this.kinds.size < MAX_KINDS) this.kinds.set(kind, reason)
    }
  }

  get commonest(): ReadonlyArray<Reason> {
    return [...this.kinds.values()].toSorted((one, other) => other.lines - one.lines)
  }
}
