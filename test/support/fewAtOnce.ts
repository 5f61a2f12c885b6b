/** Runs work on a list with bounded concurrency. */
export const fewAtOnce = async <A>(
  atOnce: number,
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<void>
): Promise<void> => {
  const remaining = items.values()
  const worker = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
