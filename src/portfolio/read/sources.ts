/** The input files that names and globs refer to. */
import * as fs from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { inFolder } from "../../platform/inFolder.ts"
import type { InputFile } from "./input.ts"
import { type PortfolioProblem, problem } from "./problem.ts"

export interface Source extends InputFile {
  /** Changes when the file changes. */
  readonly version: string
}

const isGlob = (name: string): boolean => /[*?[]/.test(name)

const NONE = (name: string) => problem(`${name}: there is no such file`)

export const unreadable = (name: string, cause: unknown): PortfolioProblem => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
  if (code === "ENOENT") return NONE(name)
  const isCompressionError = /^Z(STD)?_/.test(code) && cause instanceof Error
  return problem(
    isCompressionError ? `${name}: cannot be unpacked (${cause.message})` : `${name}: cannot be read (${code})`
  )
}

/** @throws PortfolioProblem if the file does not exist or is not a regular file */
export const localSource = async (name: string, path: string = name): Promise<Source> => {
  const found = await stat(path).catch((cause) => {
    throw unreadable(name, cause)
  })
  if (!found.isFile()) throw problem(`${name}: is not a file`)
  return { name, path, size: found.size, version: String(found.mtimeMs) }
}

/** Sorted, so that the order is the same on every machine. */
const matching = (glob: string, folder: string): ReadonlyArray<string> => {
  if (typeof fs.globSync !== "function")
    throw problem(
      `${glob}: this version of Node cannot expand patterns: remove the quotes, so that the shell expands it, or use Node 22`
    )
  return fs.globSync(glob, folder === "" ? {} : { cwd: folder }).sort()
}

const sourcesNamed = async (name: string, folder: string): Promise<ReadonlyArray<Source>> => {
  const here = (found: string) => localSource(found, inFolder(folder, found))
  if (fs.existsSync(inFolder(folder, name)) || !isGlob(name)) return [await here(name)]
  return Promise.all(matching(name, folder).map(here))
}

/**
 * The files in the order of the names, those of a glob sorted. Relative names start in the folder.
 * @throws PortfolioProblem for a name that matches nothing, and for a file named twice
 */
export const sourcesOf = async (names: ReadonlyArray<string>, folder = ""): Promise<ReadonlyArray<Source>> => {
  const sources: Array<Source> = []
  const seen = new Set<string>()
  for (const name of names) {
    const found = await sourcesNamed(name, folder)
    if (found.length === 0) throw NONE(name)
    for (const source of found) {
      const place = resolve(source.path)
      if (seen.has(place)) throw problem(`${source.name}: is named more than once`)
      seen.add(place)
      sources.push(source)
    }
  }
  return sources
}

export const changedOf = async (sources: ReadonlyArray<Source>): Promise<ReadonlyArray<string>> => {
  const now = await Promise.all(sources.map(({ name, path }) => localSource(name, path)))
  return sources
    .filter(({ size, version }, index) => now[index]!.size !== size || now[index]!.version !== version)
    .map(({ name }) => name)
}

/** Computes the share of all files that has been read, from the share of the current one. */
export const sharesOf = (sources: ReadonlyArray<Source>) => {
  const all = Math.max(
    1,
    sources.reduce((sum, { size }) => sum + size, 0)
  )
  let before = 0
  return {
    /** @param part share of the source read so far, 0 to 1 */
    of: ({ size }: Source, part: number): number => (before + part * size) / all,
    next: ({ size }: Source): void => {
      before += size
    }
  }
}

/** Replaces the paths of files by their names as given, in lines of text. */
export const withNames = (
  lines: ReadonlyArray<string>,
  folder: string,
  names: ReadonlyArray<string>
): ReadonlyArray<string> =>
  lines.map((line) =>
    names.reduce((text, name) => (name === "" ? text : text.replaceAll(inFolder(folder, name), name)), line)
  )
