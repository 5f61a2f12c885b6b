/** Why rows of a portfolio were not computed: the commonest reasons, counted. */
import { UTF_8 } from "../read/input.ts"

export interface Reason {
  /** Loans are not told apart: `loans[].interestRate`. */
  readonly field: string
  readonly problem: string
  /** Lines of what was not computed that have it. */
  readonly lines: number
}

/** So many are told. */
const COMMONEST = 20
/** Reasons that hold something of the input are as many as it has rows: those that come later are not counted. */
const MOST_KINDS = 10_000

const reasonsOf = (line: string): ReadonlySet<string> => {
  const { problems }: { readonly problems: Readonly<Record<string, ReadonlyArray<string>>> } = JSON.parse(line)
  const told = Object.entries(problems).flatMap(([field, messages]) =>
    messages.map((message) => JSON.stringify([field.replaceAll(/\[\d+\]/g, "[]"), message]))
  )
  return new Set(told)
}

/** @param rejected lines of rows that were not computed, of each of the first `count` parts */
export const commonestReasons = async (
  count: number,
  rejected: (index: number) => Promise<Uint8Array>
): Promise<ReadonlyArray<Reason>> => {
  const counts = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const lines = UTF_8.decode(await rejected(index))
      .split("\n")
      .filter((line) => line !== "")
    for (const reason of lines.flatMap((line) => [...reasonsOf(line)])) {
      const before = counts.get(reason)
      if (before !== undefined || counts.size < MOST_KINDS) counts.set(reason, (before ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, COMMONEST)
    .map(([reason, lines]) => {
      const [field, problem] = JSON.parse(reason)
      return { field, problem, lines }
    })
}
