/**
 * The folder in which a run keeps what is done, a part for each chunk, so that a run that was killed goes on. A part
 * counts when its marker is there, which is written last, to the disk; what has none is computed again.
 */
import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { hasCode } from "../database/hasCode.ts"
import type { ChunkResult } from "./chunk.ts"
import { problem } from "./input/input.ts"
import { LOCK, MANIFEST, removeOfRun } from "./partsFolder.ts"
import type { Summary } from "./summary.ts"
import { writeWhole } from "./wholeFile.ts"

/** What is known of a part without its rows. */
export interface Part {
  readonly index: number
  /** Hash of the lines that it was computed from. */
  readonly lines: string
  readonly summary: Summary
}

const REPEATED = "repeated.json"
const NAME = "name.json"
const INDEX_DIGITS = 6

const readJson = async <A>(file: string): Promise<A | undefined> => {
  try {
    return JSON.parse(await readFile(file, "utf8")) as A
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

/** What says what parts are of. */
type Manifest = Readonly<Record<string, unknown>>

/** @returns null where it is damaged */
const readManifest = async (file: string): Promise<Manifest | null | undefined> => {
  const kept: unknown = await readJson(file).catch((cause) => {
    if (cause instanceof SyntaxError) return null
    throw cause
  })
  if (kept === undefined) return undefined
  return typeof kept === "object" ? (kept as Manifest | null) : null
}

export class Parts {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** The parts of this run: new ones, or those of the same run as it was left. Those of another run are refused. */
  static async open(folder: string, manifest: Manifest): Promise<Parts> {
    await mkdir(folder, { recursive: true })
    const file = join(folder, MANIFEST)
    const kept = await readManifest(file)
    const parts = new Parts(folder)
    if (kept === undefined) await writeWhole(file, JSON.stringify(manifest))
    else if (kept !== null) await parts.expectSame(kept, manifest)
    else
      throw problem(
        `${file} is damaged: it says what the parts beside it are of.`,
        await parts.wayOn("Bring it back as it was")
      )
    return parts
  }

  private async expectSame(kept: Manifest, manifest: Manifest): Promise<void> {
    const other = Object.keys(manifest).filter((name) => JSON.stringify(kept[name]) !== JSON.stringify(manifest[name]))
    if (other.length === 0) return
    const told = other.map((name) =>
      name === "release" ? `release (${kept[name]}, and this is ${manifest[name]})` : name
    )
    throw problem(
      `${this.folder} holds a run that was begun otherwise: ${told.join(", ")}.`,
      await this.wayOn("Go on as it was begun")
    )
  }

  /** What to do with parts that this run cannot go on with. Answers of record cannot be had again. */
  async wayOn(other: string): Promise<string> {
    return (await this.areRecorded())
      ? `${other}: it holds answers that are recorded, and what proves them is nowhere else.`
      : `${other}, or remove the folder to begin anew.`
  }

  private file(index: number, kind: string): string {
    return join(this.folder, `part-${String(index).padStart(INDEX_DIGITS, "0")}.${kind}`)
  }

  private files(count: number, kind: string): ReadonlyArray<string> {
    return Array.from({ length: count }, (_, index) => this.file(index, kind))
  }

  rowsFile(index: number): string {
    return this.file(index, "rows")
  }

  /** The rows of the first parts, in their order. */
  rowsFiles(count: number): ReadonlyArray<string> {
    return this.files(count, "rows")
  }

  /** Of the first parts, what a service has answered, and the rows with its ids. */
  recordedFiles(count: number): { readonly rows: ReadonlyArray<string>; readonly answers: ReadonlyArray<string> } {
    return { rows: this.files(count, "recorded"), answers: this.files(count, "answers") }
  }

  /** What recording a part reads and writes. */
  recording(index: number) {
    const file = (kind: string) => this.file(index, kind)
    return { rows: file("rows"), journal: file("journal"), answers: file("answers"), recorded: file("recorded") }
  }

  rejectedFiles(count: number): ReadonlyArray<string> {
    return this.files(count, "rejected")
  }

  async write(index: number, lines: string, { ids, rejected, rows, summary }: ChunkResult): Promise<Part> {
    await writeWhole(this.file(index, "rows"), rows)
    await writeWhole(this.file(index, "rejected"), rejected)
    await writeWhole(this.file(index, "ids"), new Uint8Array(ids.buffer))
    const part: Part = { index, lines, summary }
    await writeWhole(this.file(index, "json"), JSON.stringify(part))
    return part
  }

  /** The parts that are done, by their index. */
  async done(): Promise<ReadonlyMap<number, Part>> {
    const markers = (await readdir(this.folder)).filter((name) => /^part-\d+\.json$/.test(name))
    const parts = new Map<number, Part>()
    for (const name of markers) {
      const part = await readJson<Part>(join(this.folder, name))
      if (part !== undefined) parts.set(part.index, part)
    }
    return parts
  }

  async forget(index: number): Promise<void> {
    await rm(this.file(index, "json"), { force: true })
  }

  /** The keys of a part's ids, in its order. */
  async ids(index: number): Promise<BigUint64Array> {
    const bytes = await readFile(this.file(index, "ids"))
    return new BigUint64Array(Uint8Array.from(bytes).buffer)
  }

  /** Which of some keys a part has. They are found when all parts are done, so it has its ids. */
  async ofKeys(index: number, keys: ReadonlySet<bigint>): Promise<ReadonlySet<bigint>> {
    return keys.size === 0 ? keys : new Set((await this.ids(index)).filter((key) => keys.has(key)))
  }

  /** Keys of ids that were found more than once, as a run that was killed left them. */
  async repeated(): Promise<ReadonlySet<bigint>> {
    return new Set((await readJson<ReadonlyArray<string>>(join(this.folder, REPEATED)))?.map(BigInt) ?? [])
  }

  async keepRepeated(keys: ReadonlySet<bigint>): Promise<void> {
    await writeWhole(join(this.folder, REPEATED), JSON.stringify([...keys].map(String)))
  }

  /** What the run is called where others compute it: the same until its parts are removed. */
  async runName(): Promise<string> {
    const file = join(this.folder, NAME)
    const kept = await readJson<string>(file)
    if (kept !== undefined) return kept
    const name = randomUUID()
    await writeWhole(file, JSON.stringify(name))
    return name
  }

  /** Whether a service has recorded answers for any of them. */
  async areRecorded(): Promise<boolean> {
    return (await readdir(this.folder)).some((name) => /^part-\d+\.(journal|answers)$/.test(name))
  }

  /** Removes them all. */
  discard(): Promise<void> {
    return removeOfRun(this.folder, [LOCK])
  }
}
