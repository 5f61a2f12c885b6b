/**
 * The workspace: the books and the tally that a projection writes to. The caller passes it in, so a
 * run has no hidden state. Runs are synchronous, so successive projections may share one workspace.
 */
import { Book, type Books } from "./book.ts"
import { Tally } from "./tally.ts"

export interface Workspace {
  readonly books: Books
  readonly tally: Tally
}

const pair = () => ({ own: new Book(), beside: new Book() })

export const makeWorkspace = (): Workspace => ({
  books: { inPlan: new Book(), outsidePlan: new Book(), passed: [new Book(), new Book()], anew: [pair(), pair()] },
  tally: new Tally()
})
