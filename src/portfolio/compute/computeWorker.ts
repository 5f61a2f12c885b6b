/** The worker thread of a run, which computes chunks and shares no other state. */
import { move, transferableSymbol, valueSymbol } from "piscina"
import type { Portfolio } from "../results/portfolio.ts"
import { type Chunk, computeChunk } from "./chunk.ts"

export interface Task {
  readonly portfolio: Portfolio
  readonly chunk: Chunk
}

/** URL of this file, from which the thread pool starts its threads. */
export const computeWorker = import.meta.url

/** Transfers the rows to the main thread instead of copying them. */
const compute = ({ chunk, portfolio }: Task): ReturnType<typeof move> => {
  const result = computeChunk(portfolio, chunk)
  return move({ [transferableSymbol]: [result.rows.buffer], [valueSymbol]: result })
}

export default compute
