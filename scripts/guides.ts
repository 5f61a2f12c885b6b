/**
 * `npm run guides`: runs each block of the guides, of the README's first call and of the library's page for Python as it is
 * written, in order, against a real service. Replaced is only the address of the service. The home folder is one of its own,
 * in which the guide's project for TypeScript is made and installs the client. Prints one line a block; a block that ends with
 * an error, or shows nothing, ends the run.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { PATH, PROJECT, startService } from "./programs.ts"

/** The build is among them. */
const RUN_MILLIS = 300_000

/** The pages, and from which heading to which; what each block has to show, in order. */
const PAGES = [
  {
    page: "README.md",
    from: "## First call",
    to: "## From TypeScript",
    shows: [/"matches":true[\s\S]*"callsUsedThisPeriod":2/]
  },
  {
    page: "docs/guides.md",
    from: "# Guides",
    to: undefined,
    shows: [
      /"matches":true/,
      /\badded 1 package\b/,
      /as recorded: true[\s\S]*EXTENDED cannot take/,
      /as recorded: True/,
      /"structuredContent"/
    ]
  },
  {
    page: "docs/library.md",
    from: "## Python",
    to: undefined,
    shows: [/income 60000 REPAYMENT ASSISTANCE 250 45929\.1/]
  }
] as const

interface Block {
  readonly language: string
  readonly text: string
}

const blocksOf = ({ from, page, to }: (typeof PAGES)[number]): ReadonlyArray<Block> => {
  const text = readFileSync(join(PROJECT, page), "utf8")
  const begin = text.indexOf(from)
  const part = text.slice(begin, to === undefined ? undefined : text.indexOf(to))
  return [...part.matchAll(/```(sh|ts|python)\n([\s\S]*?)```/g)].map(([, language, block]) => ({
    language: language!,
    text: block!
  }))
}

/** A home, and in it a folder with what the blocks read, where they may write. */
const home = mkdtempSync(join(tmpdir(), "guides-"))
const folder = join(home, "project")
mkdirSync(join(folder, "docs"), { recursive: true })
cpSync(join(PROJECT, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true })

/** The folder that the guide makes for TypeScript, and its file. */
const OWN_PROJECT = join(home, "repayment-guide")
const OWN_PROGRAM = "guide.ts"

/** What runs the project's own scripts, and so begins in the project itself. */
const OF_THE_PROJECT = /^npm run build|"npm", "run", /m

/** Where a block begins. */
const beginningOf = ({ language, text }: Block): string => {
  if (language === "ts") return OWN_PROJECT
  return OF_THE_PROJECT.test(text) ? PROJECT : folder
}

const run = async (block: Block, base: string): Promise<string> => {
  const here = block.text.replaceAll("http://127.0.0.1:8080", base).replaceAll("localhost:8080", new URL(base).host)
  if (block.language === "ts") writeFileSync(join(OWN_PROJECT, OWN_PROGRAM), here)
  const [command, ...args] = {
    sh: ["bash", "-euo", "pipefail", "-c", here],
    ts: [process.execPath, OWN_PROGRAM],
    python: ["python3", "-c", here]
  }[block.language] as [string, ...ReadonlyArray<string>]
  const options = { cwd: beginningOf(block), env: { PATH, HOME: home }, timeout: RUN_MILLIS }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

const service = await startService({})
try {
  for (const part of PAGES) {
    const blocks = blocksOf(part)
    if (blocks.length !== part.shows.length) throw new Error(`${part.page} has ${blocks.length} blocks`)
    for (const [index, block] of blocks.entries()) {
      const shown = await run(block, service.base)
      if (!part.shows[index]!.test(shown)) throw new Error(`${part.page}, block ${index + 1} shows ${shown}`)
      process.stdout.write(`ok   ${part.page}, block ${index + 1} (${block.language})\n`)
    }
  }
} finally {
  await service.stop()
  rmSync(home, { recursive: true, force: true })
}
