/** What the catalogue says of one fault, and how it names tests. The catalogue itself is in list.ts and what it joins. */

/** Tests of one file: those whose full title holds one of the texts as it is written in the file; without any, all. */
export interface Shown {
  readonly file: string
  readonly titles?: ReadonlyArray<string>
}

export interface Fault {
  readonly id: `F${number}`
  /** What goes wrong, or what somebody does. */
  readonly fault: string
  /** What the service does nevertheless. */
  readonly holds: string
  /** Tests that show it; none where there is only a reason. */
  readonly shown: ReadonlyArray<Shown>
  /** What no test shows, or is meant to be otherwise, and why. */
  readonly reason?: string
}

export const shown = (file: string, ...titles: ReadonlyArray<string>): Shown =>
  titles.length === 0 ? { file } : { file, titles }
