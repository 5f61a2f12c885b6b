/**
 * The checkpoint store of a run, with a part for each finished chunk, so that a killed run resumes.
 * A part counts once it has a marker file, which is written last and contains the part's hashes. A
 * part without a marker is recomputed.
 */
import { hash, randomUUID } from "node:crypto"
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { hasCode } from "../../platform/hasCode.ts"
import { problem } from "../read/problem.ts"
import { writeAtomically } from "../results/outputPaths.ts"
import type { ChunkResult } from "../results/portfolio.ts"
import type { Summary } from "../results/summary.ts"
import { type Manifest, openManifest, readKept } from "./manifest.ts"

const KINDS = ["rows", "rejected", "ids"] as const
type Kind = (typeof KINDS)[number]
type Hashes = Readonly<Record<Kind, string>>

/** The content of a marker. `lines` is the hash of the chunk's lines. */
export interface Part {
  readonly index: number
  readonly lines: string
  readonly hashes: Hashes
  readonly summary: Summary
}

const DUPLICATES = "duplicates.json"
const NAME = "name.json"
const MARKER = /^part-(\d{6,})\.json$/
const INDEX_DIGITS = 6

const hashOf = (bytes: Uint8Array): string => hash("sha256", bytes)

const undefinedIfMissing = (cause: unknown): undefined => {
  if (!hasCode(cause, "ENOENT")) throw cause
}

export class Parts {
  readonly folder: string
  /** Hashes of each finished part, as this process wrote or first read them. */
  private readonly hashes = new Map<number, Hashes>()

  private constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Starts a run, or resumes it with the parts it left.
   * @throws PortfolioProblem if the parts are of another run
   */
  static async open(folder: string, manifest: Manifest): Promise<Parts> {
    await openManifest(folder, manifest)
    return new Parts(folder)
  }

  private file(index: number, kind: string): string {
    return join(this.folder, `part-${String(index).padStart(INDEX_DIGITS, "0")}.${kind}`)
  }

  /** Paths of the rows of the first `count` parts; recorded rows contain answer ids. */
  rowsFiles(count: number, isRecorded: boolean): ReadonlyArray<string> {
    return Array.from({ length: count }, (_, index) => this.file(index, isRecorded ? "recorded" : "rows"))
  }

  /** Paths of the files that recording a part reads and writes. */
  recording(index: number) {
    const file = (kind: string) => this.file(index, kind)
    return { journal: file("journal"), answers: file("answers"), recorded: file("recorded") }
  }

  async write(index: number, lines: string, { ids, rejected, rows, summary }: ChunkResult): Promise<Part> {
    const contents = { rows, rejected: Buffer.from(rejected), ids: new Uint8Array(ids.buffer) }
    for (const kind of KINDS) await writeAtomically(this.file(index, kind), contents[kind])
    const hashes = { rows: hashOf(rows), rejected: hashOf(contents.rejected), ids: hashOf(contents.ids) }
    const part: Part = { index, lines, hashes, summary }
    await writeAtomically(this.file(index, "json"), JSON.stringify(part))
    this.hashes.set(index, hashes)
    return part
  }

  private altered(file: string, index: number) {
    const marker = this.file(index, "json")
    return problem(
      `${file} is not as the run wrote it, so the results cannot be assembled.`,
      `Remove ${marker} and run the same command again: it computes that part again.`
    )
  }

  /**
   * Reads one file of a finished part.
   * @throws PortfolioProblem if its hash differs from the marker's
   */
  async read(index: number, kind: Kind): Promise<Buffer> {
    const file = this.file(index, kind)
    const bytes = await readFile(file).catch(undefinedIfMissing)
    if (bytes === undefined || hashOf(bytes) !== this.hashes.get(index)?.[kind]) throw this.altered(file, index)
    return bytes
  }

  async done(): Promise<ReadonlyMap<number, Part>> {
    const parts = new Map<number, Part>()
    for (const name of await readdir(this.folder)) {
      const digits = MARKER.exec(name)?.[1]
      if (digits === undefined) continue
      const index = Number(digits)
      const file = this.file(index, "json")
      const part = await readKept<Part>(file)
      if (part?.index !== index) throw this.altered(file, index)
      parts.set(index, part)
      if (!this.hashes.has(index)) this.hashes.set(index, part.hashes)
    }
    return parts
  }

  async forget(index: number): Promise<void> {
    await rm(this.file(index, "json"), { force: true })
  }

  /** The keys (hashes) of a part's borrower ids, in input order. */
  async ids(index: number): Promise<BigUint64Array> {
    return new BigUint64Array(Uint8Array.from(await this.read(index, "ids")).buffer)
  }

  /** Those of `keys` that a part has; all of them if the part's ids are not known yet. */
  async keysIn(index: number, keys: ReadonlySet<bigint>): Promise<ReadonlySet<bigint>> {
    if (keys.size === 0 || !this.hashes.has(index)) return keys
    return new Set((await this.ids(index)).filter((key) => keys.has(key)))
  }

  /** The keys of duplicate ids found so far, also by an earlier process of the run. */
  async duplicateIds(): Promise<ReadonlySet<bigint>> {
    return new Set((await readKept<ReadonlyArray<string>>(join(this.folder, DUPLICATES)))?.map(BigInt) ?? [])
  }

  async keepDuplicateIds(keys: ReadonlySet<bigint>): Promise<void> {
    await writeAtomically(join(this.folder, DUPLICATES), JSON.stringify([...keys].map(String)))
  }

  /** The name under which workers know the run; the same until the parts are removed. */
  async runName(): Promise<string> {
    const file = join(this.folder, NAME)
    const stored = await readKept<string>(file)
    if (stored) return stored
    const name = randomUUID()
    await writeAtomically(file, JSON.stringify(name))
    return name
  }
}
