/** Files of lines as chunks: where they are cut depends on the bytes alone, and no line is lost or read twice. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { type Input, type InputChunk, UTF_8 } from "../../../src/portfolio/read/input.ts"
import { lineFiles, lineStream } from "../../../src/portfolio/read/lines.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf } from "../../support/repay.ts"

const { file, folder } = filesOf("lines")

type ReadChunk = Omit<InputChunk, "lines"> & { readonly lines: string }

const chunksOf = async (input: Input): Promise<ReadonlyArray<ReadChunk>> => {
  const chunks: Array<ReadChunk> = []
  for await (const chunk of input.chunks()) chunks.push({ ...chunk, lines: UTF_8.decode(chunk.lines) })
  return chunks
}

/** Some chunks of it. */
const TEXT = linesOfBorrowers(8000)
const LINES = TEXT.trimEnd()

const packed = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, gzipSync(text))
  return path
}

describe("chunks of a file", () => {
  it("are all of its lines, in their order and with their numbers", async () => {
    const chunks = await chunksOf(await lineFiles([file("b.ndjson", TEXT)]))
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.map(({ lines }) => lines).join("\n")).toBe(LINES)
    let row = 1
    for (const { firstRow, lines } of chunks) {
      expect(firstRow).toBe(row)
      row += lines.split("\n").length
    }
    expect(chunks.at(-1)?.share).toBe(1)
  })

  it("are the same where the file is packed, begins with a mark, or lacks the last newline", async () => {
    const plain = await chunksOf(await lineFiles([file("plain.ndjson", TEXT)]))
    const cuts = plain.map(({ firstRow, lines }) => ({ firstRow, lines }))
    for (const other of [packed("p.ndjson.gz", TEXT), file("end.ndjson", LINES)]) {
      const chunks = await chunksOf(await lineFiles([other]))
      expect(chunks.map(({ firstRow, lines }) => ({ firstRow, lines }))).toEqual(cuts)
    }
    const marked = await chunksOf(await lineFiles([file("mark.ndjson", `\uFEFF${TEXT}`)]))
    expect(marked.map(({ lines }) => lines).join("\n")).toBe(LINES)
  })

  it("begin anew with each file", async () => {
    const [first, second] = await chunksOf(await lineFiles([file("1.ndjson", "a\nb\n"), file("2.ndjson", "c\n")]))
    expect(first).toMatchObject({ firstRow: 1, lines: "a\nb" })
    expect(second).toMatchObject({ firstRow: 1, lines: "c", share: 1 })
  })

  it("are none of an empty file", async () => {
    expect(await chunksOf(await lineFiles([file("empty.ndjson", "")]))).toEqual([])
  })
})

/** What pzstd begins a file with: bytes that every reader passes over. */
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])

const KINDS = [
  ["gz", gzipSync],
  ["zst", zstdCompressSync]
] as const

describe("a packed file that is several behind each other", () => {
  const HALVES = [TEXT.slice(0, 3_000_001), TEXT.slice(3_000_001)]
  const stored = (name: string, ...bytes: ReadonlyArray<Buffer>): string => {
    const path = join(folder, name)
    writeFileSync(path, Buffer.concat(bytes))
    return path
  }
  const textOf = async (path: string) =>
    (await chunksOf(await lineFiles([path]))).map(({ lines }) => lines).join("\n") === LINES ? "all" : "not all"

  it.each(KINDS)("is read to its end: %s", async (ending, pack) => {
    const [first, second] = HALVES.map((half) => pack(half)) as [Buffer, Buffer]
    expect(await textOf(stored(`two.ndjson.${ending}`, first, second))).toBe("all")
    expect(await textOf(stored(`empty.ndjson.${ending}`, pack(""), first, pack(""), second, pack("")))).toBe("all")
  })

  it("is read to its end where its first frame is one to be passed over", async () => {
    const [first, second] = HALVES.map((half) => zstdCompressSync(half)) as [Buffer, Buffer]
    expect(await textOf(stored("p.ndjson.zst", SKIPPABLE, first, SKIPPABLE, second, SKIPPABLE))).toBe("all")
  })

  it.each(KINDS)("is refused where one of them is cut: %s", async (ending, pack) => {
    const [first, second] = HALVES.map((half) => pack(half)) as [Buffer, Buffer]
    for (const length of [1, 3, second.length / 2, second.length - 1]) {
      const path = stored(`cut.ndjson.${ending}`, first, second.subarray(0, length))
      await expect(textOf(path)).rejects.toMatchObject({
        lines: [`${path}: cannot be unpacked (unexpected end of file)`]
      })
    }
  })

  it.each(KINDS)("is refused where other bytes stand between or behind them: %s", async (ending, pack) => {
    const [first, second] = HALVES.map((half) => pack(half)) as [Buffer, Buffer]
    for (const other of [Buffer.alloc(512), Buffer.from("notes")]) {
      for (const bytes of [
        [first, other, second],
        [first, second, other]
      ]) {
        const path = stored(`other.ndjson.${ending}`, ...bytes)
        await expect(textOf(path)).rejects.toMatchObject({
          lines: [expect.stringMatching(/: cannot be unpacked \((incorrect header check|Unknown frame descriptor)\)$/)]
        })
      }
    }
  })

  it.each(KINDS)("is refused where it is empty: %s", async (ending) => {
    const path = stored(`none.ndjson.${ending}`)
    await expect(textOf(path)).rejects.toMatchObject({ lines: [expect.stringContaining("cannot be unpacked")] })
  })
})

describe("what is no file of lines", () => {
  it("is told where a line has no end", async () => {
    const input = await lineFiles([file("long.ndjson", `{}\n${"x".repeat(6_000_000)}`)])
    await expect(chunksOf(input)).rejects.toMatchObject({ lines: [expect.stringMatching(/^Line 2 is longer/)] })
  })

  it("is told where there is none, or a folder", async () => {
    await expect(lineFiles([join(folder, "none.ndjson")])).rejects.toMatchObject({
      lines: [expect.stringMatching(/none\.ndjson: there is no such file/)]
    })
    await expect(lineFiles([folder])).rejects.toMatchObject({ lines: [expect.stringMatching(/is not a file/)] })
  })

  it("is told where a packed file is cut", async () => {
    const path = join(folder, "cut.ndjson.gz")
    writeFileSync(path, gzipSync(TEXT).subarray(0, 10_000))
    await expect(chunksOf(await lineFiles([path]))).rejects.toMatchObject({ lines: [expect.stringContaining(path)] })
  })
})

describe("a stream", () => {
  it("is cut as soon as whole lines have come, wherever its pieces end", async () => {
    const pieces = ['{"a":1}\n{"b', '":2}\n', '{"c":3}'].map((piece) => Buffer.from(piece))
    const chunks = await chunksOf(lineStream("-", Readable.from(pieces)))
    expect(chunks.map(({ firstRow, lines }) => [firstRow, lines])).toEqual([
      [1, '{"a":1}'],
      [2, '{"b":2}'],
      [3, '{"c":3}']
    ])
  })
})
