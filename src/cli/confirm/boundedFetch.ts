/**
 * Fetches for commands that do not trust the service that they ask: bodies are bounded after
 * decompression, and redirects are not followed.
 */

/** For notes, keys, receipts and records, all of which are a few KiB. */
export const MAX_TEXT_BYTES = 64 * 1024

export const boundedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const { body, headers, status } = await fetch(input, { ...init, redirect: "manual" })
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Error(`its answer is longer than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers })
  }
