/**
 * `npm run guides`: runs each block of the guides and of the README's first call as it is written, in order, against a real
 * service. Replaced are only the address of the service and, in TypeScript, the name of the client package, which is not
 * installed here. Prints one line a block; a block that ends with an error, or shows nothing, ends the run.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { PATH, PROJECT, startService } from "./programs.ts"

const RUN_MILLIS = 60_000

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
      /as recorded: true[\s\S]*EXTENDED cannot take/,
      /as recorded: True/,
      /"structuredContent"/
    ]
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

/** A folder with what the blocks read, where they may write. */
const folder = mkdtempSync(join(tmpdir(), "guides-"))
mkdirSync(join(folder, "docs"))
cpSync(join(PROJECT, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true })
writeFileSync(join(folder, "package.json"), '{"type":"module"}')

const CLIENT = pathToFileURL(join(PROJECT, "src", "client", "plain", "index.ts")).href

const run = async ({ language, text }: Block, base: string): Promise<string> => {
  const here = text
    .replaceAll("http://127.0.0.1:8080", base)
    .replaceAll("localhost:8080", new URL(base).host)
    .replaceAll('"@repayment-of-record/client"', JSON.stringify(CLIENT))
  writeFileSync(join(folder, "block.ts"), here)
  const [command, ...args] = {
    sh: ["bash", "-euo", "pipefail", "-c", here],
    ts: [process.execPath, "block.ts"],
    python: ["python3", "-c", here]
  }[language] as [string, ...ReadonlyArray<string>]
  const options = { cwd: folder, env: { PATH, HOME: folder }, timeout: RUN_MILLIS }
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
  rmSync(folder, { recursive: true, force: true })
}
