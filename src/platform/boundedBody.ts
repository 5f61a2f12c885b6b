/** Bodies from senders that are not trusted, read only up to a number of bytes. */

/** The bytes of a body; null if there are more than `maxBytes`. */
const readBounded = async (
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number
): Promise<Buffer<ArrayBuffer> | null> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A fetch that bounds bodies after decompression, and does not follow redirects. */
export const boundedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const { body, headers, status } = await fetch(input, { ...init, redirect: "manual" })
    const bytes = await readBounded(body ?? [], maxBytes)
    if (bytes === null) throw new Error(`its answer is longer than ${maxBytes} bytes`)
    // A Blob: Node 20 detaches bytes that a Response sends, and a failure that holds them can't be hashed then.
    return new Response(bytes.length === 0 ? null : new Blob([bytes]), { status, headers })
  }
