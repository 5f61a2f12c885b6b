/**
 * Runs each block of the guides, of the README's first call and of the library's page for Python as
 * it is written, in order, against a real service. Only the address of the service is replaced. The
 * home folder is a temporary one, in which the guide makes its TypeScript project and installs the
 * client. A block that shows nothing of what it promises fails.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Command, insist, PROJECT, run, service, step, temporaryFolder } from "./harness.ts"

/** The pages, and from which heading to which; what each block has to show, in order. */
const PAGES = [
  {
    page: "README.md",
    from: "## First call",
    to: "## Why believe a number",
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

/** Blocks that run the project's own scripts begin in the project itself. */
const OF_THE_PROJECT = /^npm run build|"npm", "run", /m
const OWN_PROGRAM = "guide.ts"

export default async () => {
  const home = temporaryFolder("guides")
  /** The folder that the guide makes for TypeScript. */
  const ownProject = join(home, "repayment-guide")
  /** What the other blocks read, where they may write. */
  const folder = join(home, "project")
  mkdirSync(join(folder, "docs"), { recursive: true })
  cpSync(join(PROJECT, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true })
  const { base } = await service()

  const shownBy = ({ language, text }: Block): Promise<string> => {
    const here = text.replaceAll("http://127.0.0.1:8080", base).replaceAll("localhost:8080", new URL(base).host)
    if (language === "ts") writeFileSync(join(ownProject, OWN_PROGRAM), here)
    const commands: Readonly<Record<string, Command>> = {
      sh: ["bash", "-euo", "pipefail", "-c", here],
      ts: [process.execPath, OWN_PROGRAM],
      python: ["python3", "-c", here]
    }
    const start = OF_THE_PROJECT.test(text) ? PROJECT : folder
    return run(commands[language]!, { cwd: language === "ts" ? ownProject : start, env: { HOME: home } })
  }

  for (const part of PAGES) {
    const blocks = blocksOf(part)
    insist(blocks.length === part.shows.length, `${part.page} has ${blocks.length} blocks`)
    for (const [index, block] of blocks.entries()) {
      await step(`${part.page}, block ${index + 1} (${block.language})`, async () => {
        const shown = await shownBy(block)
        insist(part.shows[index]!.test(shown), `it shows ${shown}`)
      })
    }
  }
}
