/** What a bench found, to read and as data. */
export interface Findings {
  readonly text: string
  readonly data: unknown
}
