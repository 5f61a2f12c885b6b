/**
 * The chunks of line files: cuts depend only on the content, and each line is read exactly once.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type Input, type InputChunk, UTF_8 } from "../../../src/portfolio/read/input.ts"
import { lineFiles, lineStream } from "../../../src/portfolio/read/lines.ts"
import { csvFiles } from "../../../src/portfolio/read/tables.ts"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf } from "../../support/repay.ts"

const { file, folder } = filesOf("lines")

type ReadChunk = Omit<InputChunk, "lines"> & { readonly lines: string }

const chunksOf = async (input: Input): Promise<ReadonlyArray<ReadChunk>> => {
  const chunks: Array<ReadChunk> = []
  for await (const chunk of input.chunks()) chunks.push({ ...chunk, lines: UTF_8.decode(chunk.lines) })
  return chunks
}

/** Enough text for several chunks. */
const TEXT = linesOfBorrowers(8000)
const LINES = TEXT.trimEnd()

const packed = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, gzipSync(text))
  return path
}

describe("chunks of a file", () => {
  it("contain all of its lines, in order and with their numbers", async () => {
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

  it("are small at first, also of a table, so that a short run shows progress and keeps what it computed", async () => {
    const sizes = (await chunksOf(await lineFiles([file("small.ndjson", TEXT)]))).map(({ lines }) => lines.length)
    expect(sizes.length).toBeGreaterThan(12)
    expect(sizes[0]).toBeLessThan(TEXT.length / 20)
    const rows = Array.from(
      { length: 3000 },
      (_, id) => `B${id},60000,Single,0,NC,false,DIRECT STAFFORD SUBSIDIZED,1,0.06`
    )
    const head =
      "borrowerId,adjustedGrossIncome,filingStatus,dependents,state,workingTowardsPslf,loanType,principalBalance,interestRate"
    const table = file("small.csv", `${head}\n${rows.join("\n")}\n`)
    const chunks = await chunksOf(await Effect.runPromise(csvFiles([table], { ignore: [], separator: undefined })))
    expect(chunks.map(({ lines }) => lines.split("\n").length)).toEqual([...Array(8).fill(250), 500, 500])
  })

  it("of a line longer than a small chunk are that line", async () => {
    const long = "x".repeat(400_000)
    const chunks = await chunksOf(await lineFiles([file("long.ndjson", `a\n${long}\nb\n`)]))
    expect(chunks.map(({ lines }) => lines)).toEqual(["a", long, "b"])
  })

  it("are the same if the file is compressed, has a byte order mark, or lacks the final newline", async () => {
    const plain = await chunksOf(await lineFiles([file("plain.ndjson", TEXT)]))
    const cuts = plain.map(({ firstRow, lines }) => ({ firstRow, lines }))
    for (const other of [packed("p.ndjson.gz", TEXT), file("end.ndjson", LINES)]) {
      const chunks = await chunksOf(await lineFiles([other]))
      expect(chunks.map(({ firstRow, lines }) => ({ firstRow, lines }))).toEqual(cuts)
    }
    const marked = await chunksOf(await lineFiles([file("mark.ndjson", `\uFEFF${TEXT}`)]))
    expect(marked.map(({ lines }) => lines).join("\n")).toBe(LINES)
  })

  it("start over with each file", async () => {
    const [first, second] = await chunksOf(await lineFiles([file("1.ndjson", "a\nb\n"), file("2.ndjson", "c\n")]))
    expect(first).toMatchObject({ firstRow: 1, lines: "a\nb" })
    expect(second).toMatchObject({ firstRow: 1, lines: "c", share: 1 })
  })

  it("do not exist for an empty file", async () => {
    expect(await chunksOf(await lineFiles([file("empty.ndjson", "")]))).toEqual([])
  })
})

/** The skippable frame with which pzstd begins a file. */
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])

const KINDS = [
  ["gz", gzipSync],
  ["zst", zstdCompressSync]
] as const

describe("a compressed file with several members", () => {
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

  it("is read to its end even if it begins with a skippable frame", async () => {
    const [first, second] = HALVES.map((half) => zstdCompressSync(half)) as [Buffer, Buffer]
    expect(await textOf(stored("p.ndjson.zst", SKIPPABLE, first, SKIPPABLE, second, SKIPPABLE))).toBe("all")
  })

  it.each(KINDS)("is refused if a member is truncated: %s", async (ending, pack) => {
    const [first, second] = HALVES.map((half) => pack(half)) as [Buffer, Buffer]
    for (const length of [1, 3, second.length / 2, second.length - 1]) {
      const path = stored(`cut.ndjson.${ending}`, first, second.subarray(0, length))
      await expect(textOf(path)).rejects.toMatchObject({
        lines: [`${path}: cannot be unpacked (unexpected end of file)`]
      })
    }
  })

  it.each(KINDS)("is refused if there are other bytes between or after members: %s", async (ending, pack) => {
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

  it.each(KINDS)("is refused if it is empty: %s", async (ending) => {
    const path = stored(`none.ndjson.${ending}`)
    await expect(textOf(path)).rejects.toMatchObject({ lines: [expect.stringContaining("cannot be unpacked")] })
  })
})

describe("an unreadable input", () => {
  it("is reported if a line is too long", async () => {
    const input = await lineFiles([file("long.ndjson", `{}\n${"x".repeat(6_000_000)}`)])
    await expect(chunksOf(input)).rejects.toMatchObject({ lines: [expect.stringMatching(/^Line 2 is longer/)] })
  })

  it("is reported if it does not exist or is a folder", async () => {
    await expect(lineFiles([join(folder, "none.ndjson")])).rejects.toMatchObject({
      lines: [expect.stringMatching(/none\.ndjson: there is no such file/)]
    })
    await expect(lineFiles([folder])).rejects.toMatchObject({ lines: [expect.stringMatching(/is not a file/)] })
  })

  it("is reported if it is compressed and truncated", async () => {
    const path = join(folder, "cut.ndjson.gz")
    writeFileSync(path, gzipSync(TEXT).subarray(0, 10_000))
    await expect(chunksOf(await lineFiles([path]))).rejects.toMatchObject({ lines: [expect.stringContaining(path)] })
  })
})

describe("a stream", () => {
  it("yields whole lines as soon as they arrive, wherever its pieces end", async () => {
    const pieces = ['{"a":1}\n{"b', '":2}\n', '{"c":3}'].map((piece) => Buffer.from(piece))
    const chunks = await chunksOf(lineStream("-", Readable.from(pieces)))
    expect(chunks.map(({ firstRow, lines }) => [firstRow, lines])).toEqual([
      [1, '{"a":1}'],
      [2, '{"b":2}'],
      [3, '{"c":3}']
    ])
  })
})
