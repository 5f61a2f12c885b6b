/** The most common reasons for rejected rows, with their counts. */
import { UTF_8 } from "../read/input.ts"

export interface Reason {
  /** Field without loan indexes: `loans[].interestRate`. */
  readonly field: string
  readonly problem: string
  /** Rejected lines with this reason. */
  readonly lines: number
}

const MAX_REASONS = 20
/**
 * Limit of distinct reasons. Reasons may quote the input, so there may be any number; further ones
 * are not counted.
 */
const MAX_DISTINCT = 10_000

const reasonsOf = (line: string): ReadonlySet<string> => {
  const { problems }: { readonly problems: Readonly<Record<string, ReadonlyArray<string>>> } = JSON.parse(line)
  const reasons = Object.entries(problems).flatMap(([field, messages]) =>
    messages.map((message) => JSON.stringify([field.replaceAll(/\[\d+\]/g, "[]"), message]))
  )
  return new Set(reasons)
}

/** @param rejected returns the rejected lines of one of the first `count` parts */
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
      if (before !== undefined || counts.size < MAX_DISTINCT) counts.set(reason, (before ?? 0) + 1)
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_REASONS)
    .map(([reason, lines]) => {
      const [field, problem] = JSON.parse(reason)
      return { field, problem, lines }
    })
}
