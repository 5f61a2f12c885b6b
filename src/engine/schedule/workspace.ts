/**
 * The columns that a projection works in. They are handed in, so that a run has no hidden state: whoever runs many
 * projections makes one workspace and hands it to each, one after the other; a run never waits inside.
 */
import { Book, type Books } from "./book.ts"
import { Tally } from "./tally.ts"

export interface Workspace {
  readonly books: Books
  readonly tally: Tally
}

export const makeWorkspace = (): Workspace => ({
  books: { inPlan: new Book(), outsidePlan: new Book(), passed: new Book() },
  tally: new Tally()
})
