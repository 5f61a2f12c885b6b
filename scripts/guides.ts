/**
 * The `guides` task: runs the code blocks of the guides, of the README's first call and of the
 * library page's Python section, in order. Only the service's address is replaced, and the home
 * folder is temporary. A block fails if its output lacks what PAGES expects.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Command, insist, PROJECT, run, service, step, temporaryFolder } from "./harness.ts"

/** The pages, the headings to start and stop at, and what each block must print, in order. */
const PAGES = [
  {
    page: "README.md",
    from: "## First call",
    to: "## What it does not do",
    shows: [/"matches":true/]
  },
  {
    page: "docs/guides.md",
    from: "# Guides",
    to: undefined,
    shows: [
      /"firstPayment":260,[\s\S]*"matches":true/,
      /idempotent-replayed: true/,
      /\badded 1 package\b/,
      /lowest of \d plans: [\s\S]*as recorded: true[\s\S]*EXTENDED cannot take/,
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

/** Blocks that run the project's own scripts start in the project's folder. */
const RUNS_PROJECT_SCRIPTS = /^npm run build|"npm", "run", /m
const GUIDE_PROGRAM = "guide.ts"

export default async () => {
  const home = temporaryFolder("guides")
  /** The folder that the guide creates for TypeScript. */
  const guideProject = join(home, "repayment-guide")
  /** A writable copy of the files that the other blocks read. */
  const folder = join(home, "project")
  mkdirSync(join(folder, "docs"), { recursive: true })
  cpSync(join(PROJECT, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true })
  const { base } = await service()

  const outputOf = ({ language, text }: Block): Promise<string> => {
    const here = text.replaceAll("http://127.0.0.1:8080", base).replaceAll("localhost:8080", new URL(base).host)
    if (language === "ts") writeFileSync(join(guideProject, GUIDE_PROGRAM), here)
    const commands: Readonly<Record<string, Command>> = {
      sh: ["bash", "-euo", "pipefail", "-c", here],
      ts: [process.execPath, GUIDE_PROGRAM],
      python: ["python3", "-c", here]
    }
    const start = RUNS_PROJECT_SCRIPTS.test(text) ? PROJECT : folder
    return run(commands[language]!, { cwd: language === "ts" ? guideProject : start, env: { HOME: home } })
  }

  for (const part of PAGES) {
    const blocks = blocksOf(part)
    insist(blocks.length === part.shows.length, `${part.page} has ${blocks.length} blocks`)
    for (const [index, block] of blocks.entries()) {
      await step(`${part.page}, block ${index + 1} (${block.language})`, async () => {
        const output = await outputOf(block)
        insist(part.shows[index]!.test(output), `it shows ${output}`)
      })
    }
  }
}
