/** What a thread of a run does: one chunk after the other. Nothing else is shared with it. */
import { move, transferableSymbol, valueSymbol } from "piscina"
import type { Portfolio } from "../results/portfolio.ts"
import { type Chunk, computeChunk } from "./chunk.ts"

/** What a thread is handed. */
export interface Task {
  readonly portfolio: Portfolio
  readonly chunk: Chunk
}

/** This file, for whoever starts threads of it. */
export const computeWorker = import.meta.url

/** Its rows are moved to whoever waits for them, and not copied. */
const compute = ({ chunk, portfolio }: Task): ReturnType<typeof move> => {
  const result = computeChunk(portfolio, chunk)
  return move({ [transferableSymbol]: [result.rows.buffer], [valueSymbol]: result })
}

export default compute
