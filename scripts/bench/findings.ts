/** The result type of a bench, as text and as data. */
export interface Findings {
  readonly text: string
  readonly data: unknown
}
