/** What a thread of a run does: one chunk after the other. Nothing else is shared with it. */
import { type Chunk, computeChunk, type Portfolio } from "./chunk.ts"

/** What a thread is handed. */
export interface Task {
  readonly portfolio: Portfolio
  readonly chunk: Chunk
}

/** This file, for whoever starts threads of it. */
export const computeWorker = import.meta.url

const compute = ({ chunk, portfolio }: Task) => computeChunk(portfolio, chunk)

export default compute
