/**
 * The `guides` task: runs the code blocks of the guides, of the README's first call, of the library
 * page's Python section and of the analyst's page, in order. Only the address of the service and the
 * name of Python are replaced, and the home folder is temporary. A block fails if its output is not
 * the page's `text` block after it, or else lacks what PAGES expects.
 */
import { once } from "node:events"
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { atEnd, type Command, insist, isInstalled, PROJECT, run, service, step, temporaryFolder } from "./harness.ts"

interface Page {
  readonly page: string
  /** The headings to start and stop at. */
  readonly from: string
  readonly to?: string
  /** What the blocks must print that have no `text` block after them, in order. */
  readonly shows: ReadonlyArray<RegExp>
  /** Files that the blocks write, and what they must equal. */
  readonly writes?: Readonly<Record<string, string>>
}

const PAGES: ReadonlyArray<Page> = [
  {
    page: "README.md",
    from: "## First call",
    to: "## What it does not do",
    shows: [/"matches":true/]
  },
  {
    page: "docs/guides.md",
    from: "# Guides",
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
    shows: [/income 60000 REPAYMENT ASSISTANCE 250 45929\.1/]
  },
  {
    page: "docs/analysis.md",
    from: "# An analyst",
    shows: [/"borrowers": 20,/, /^$/],
    writes: {
      "results.csv": "docs/examples/portfolio/results.csv",
      "docs/pictures/first-payments.svg": "docs/pictures/first-payments.svg",
      "docs/pictures/total-costs.svg": "docs/pictures/total-costs.svg"
    }
  }
]

interface Block {
  readonly language: string
  readonly text: string
  readonly prints: string | undefined
}

const blocksOf = ({ from, page, to }: Page): ReadonlyArray<Block> => {
  const text = readFileSync(join(PROJECT, page), "utf8")
  const begin = text.indexOf(from)
  const part = text.slice(begin, to === undefined ? undefined : text.indexOf(to))
  return [...part.matchAll(/```(sh|ts|python|sql)\n([\s\S]*?)```\n(?:\n?```text\n([\s\S]*?)```)?/g)].map(
    ([, language, block, prints]) => ({ language: language!, text: block!, prints })
  )
}

const GUIDE_PROGRAM = "guide.ts"
/** What the project's commands need: linked into the folder where the blocks run. */
const LINKED = ["package.json", "node_modules", "scripts", "src", "dist"]
const NEEDS_PANDAS = /import pandas|plots\.py/
const WITHOUT_PANDAS = "skipped, because no Python here has pandas and matplotlib"

/** A Python that has them: Debian's packages belong to its own Python. Undefined if there is none. */
const pythonWithPandas = async (): Promise<string | undefined> => {
  for (const python of ["python3", "/usr/bin/python3"])
    if (await isInstalled([python, "-c", "import matplotlib, pandas"])) return python
  return undefined
}

const trimmed = (text: string): string => text.replaceAll(/ +$/gm, "").trim()

/** Of a picture the words and figures: its lines differ from one matplotlib to the next. */
const contentOf = (file: string): string => {
  const content = readFileSync(file, "utf8")
  return file.endsWith(".svg")
    ? [...content.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text).join("\n")
    : content
}

/** Runs a query in the folder, and prints as `duckdb -csv` does. */
const query = async (sql: string, folder: string): Promise<string> => {
  const instance = await DuckDBInstance.create(":memory:", { file_search_path: folder })
  const result = await (await instance.connect()).runAndReadAll(sql)
  return [result.columnNames(), ...result.getRows()].map((row) => row.join(",")).join("\n")
}

/** A call of the Python file that gets a 503 is sent again with the same key, and follows no redirect. */
const sendsAgain = async (folder: string) => {
  const keys: Array<unknown> = []
  const server = createServer(({ headers }, response) => {
    keys.push(headers["idempotency-key"])
    response.writeHead(keys.length === 1 ? 503 : 302, { "retry-after": "0", location: "/elsewhere" }).end("{}")
  })
  atEnd(() => server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const program = `import repayment
try: repayment.call("http://127.0.0.1:${port}", "/v1/projection", {})
except repayment.Problem as problem: assert problem.status == 302`
  await run(["python3", "-c", program], { cwd: join(folder, "docs/examples") })
  insist(keys.length === 2 && keys[0] === keys[1] && keys[0] !== undefined, `it sent ${keys}`)
}

export default async () => {
  const home = temporaryFolder("guides")
  /** The folder that the guide creates for TypeScript. */
  const guideProject = join(home, "repayment-guide")
  /** A writable copy of the files that the other blocks read. */
  const folder = join(home, "project")
  mkdirSync(join(folder, "docs"), { recursive: true })
  cpSync(join(PROJECT, "docs", "examples"), join(folder, "docs", "examples"), { recursive: true })
  for (const name of LINKED) symlinkSync(join(PROJECT, name), join(folder, name))
  const withPandas = await pythonWithPandas()
  const python = withPandas ?? "python3"
  const { base } = await service()

  const outputOf = ({ language, text }: Block): Promise<string> => {
    if (language === "sql") return query(text, folder)
    const here = text
      .replaceAll("http://127.0.0.1:8080", base)
      .replaceAll("localhost:8080", new URL(base).host)
      .replaceAll("python3 ", `${python} `)
    if (language === "ts") writeFileSync(join(guideProject, GUIDE_PROGRAM), here)
    const commands: Readonly<Record<string, Command>> = {
      sh: ["bash", "-euo", "pipefail", "-c", here],
      ts: [process.execPath, GUIDE_PROGRAM],
      python: [python, "-c", here]
    }
    return run(commands[language]!, { cwd: language === "ts" ? guideProject : folder, env: { HOME: home } })
  }

  for (const part of PAGES) {
    const blocks = blocksOf(part)
    const shows = [...part.shows]
    for (const [index, block] of blocks.entries()) {
      await step(`${part.page}, block ${index + 1} (${block.language})`, async () => {
        const { prints } = block
        const pattern = prints === undefined ? shows.shift() : undefined
        if (withPandas === undefined && NEEDS_PANDAS.test(block.text)) return WITHOUT_PANDAS
        const output = await outputOf(block)
        const isExpected = prints === undefined ? pattern?.test(output) : trimmed(output) === trimmed(prints)
        insist(isExpected === true, `it shows ${output}`)
        return
      })
    }
    insist(shows.length === 0, `${part.page} has ${blocks.length} blocks`)
    for (const [written, committed] of Object.entries(part.writes ?? {}))
      await step(`${part.page} writes ${committed}`, () => {
        if (withPandas === undefined && written.endsWith(".svg")) return WITHOUT_PANDAS
        insist(
          contentOf(join(folder, written)) === contentOf(join(PROJECT, committed)),
          `it is not what ${written} now is`
        )
        return
      })
  }
  await step("docs/examples/repayment.py sends a call again with its key", () => sendsAgain(folder))
}
