/**
 * Tests of the structure that ARCHITECTURE.md promises, checked in the source. They cover unused
 * files, imports of tests, numbers of the law in the engine, and reads of the environment.
 * `imports.grit` has the rules for imports between folders.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { nameOf, TASKS } from "../scripts/tasks.ts"

const sources = globSync(["src/**/*.ts", "schema/**/*.ts", "ledger/**/*.ts"]).map(normalize).sort()
const textOf = (file: string): string => readFileSync(file, "utf8")

/** Modules of the project that a file imports or re-exports, as paths from the root. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target]) => join(dirname(file), target!))

const partOf = (file: string): string => file.replace(/^src\//, "").split("/", 1)[0]!
const filesOf = (...parts: ReadonlyArray<string>) => sources.filter((file) => parts.includes(partOf(file)))

/** Tests, the executable specification, and scripts. */
const checks = globSync(["test/**/*.ts", "property-tests/**/*.ts", "scripts/**/*.ts"])
  .map(normalize)
  .filter((file) => !file.includes("node_modules"))
  .sort()
/** Files that are started by their path: programs, tasks, browser bundles, and helpers of vitest. */
const STARTED = [
  ...["src/main.ts", "src/cli/main.ts", "src/client/index.ts", "src/library/index.ts"],
  ...["src/web/page.ts", "src/web/worker.ts", "src/web/verify.ts", "src/web/guides.ts", "src/web/chat.ts"],
  ...["test/support/global-setup.ts", "test/support/advice.ts"],
  ...[
    "scripts/x.ts",
    "scripts/bench/engineThread.ts",
    "scripts/mcp-gate/host.ts",
    ...globSync("scripts/openapi-tools/programs/*.ts")
  ],
  ...Object.keys(TASKS).map((usage) => `scripts/${nameOf(usage)}.ts`)
]
const isBelow = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

/** The module that starts a PostgreSQL; others that start processes import node:child_process. */
const EMBEDDED = "src/database/embedded/embedded.ts"
/** First-tier tests that may start a shell: it only parses the kit's scripts. */
const RUNS_SHELL_SCRIPTS = ["test/deploy.test.ts"]

describe("imports", () => {
  it("reach every file", () => {
    const reached = new Set([...[...sources, ...checks].flatMap(importsOf), ...STARTED])
    expect([...sources, ...checks].filter((file) => !file.endsWith(".test.ts") && !reached.has(file))).toEqual([])
  })

  it("of first-tier tests start no process and no PostgreSQL", () => {
    const isSystem = (file: string) => file.endsWith(".system.test.ts")
    /** Modules that start one, found through helpers too. */
    const starting = (file: string, seen = new Set<string>()): ReadonlyArray<string> => [
      ...importsOf(file).flatMap((target) => {
        if (target === EMBEDDED) return [target]
        if (seen.has(target) || !checks.includes(target) || isBelow("scripts")(target)) return []
        seen.add(target)
        return starting(target, seen)
      }),
      ...(/from "node:(child_process|cluster)"/.test(textOf(file)) ? ["node:child_process"] : [])
    ]
    const wrong = checks
      .filter((file) => file.endsWith(".test.ts") && !isSystem(file) && !RUNS_SHELL_SCRIPTS.includes(file))
      .flatMap((file) => starting(file).map((target) => `${file} -> ${target}: name it *.system.test.ts`))
    expect(wrong).toEqual([])
  })

  it("of tests and of the executable specification overlap only in support and generators", () => {
    const crossing = (from: string, to: string, shared: string) =>
      checks
        .filter(isBelow(from))
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => isBelow(to)(target) && !isBelow(shared)(target))
        .map(({ file, target }) => `${file} -> ${target}`)
    expect(crossing("property-tests", "test", "test/support")).toEqual([])
    expect(crossing("test", "property-tests", "property-tests/generators")).toEqual([])
    expect(crossing("test/support", "property-tests", "none")).toEqual([])
    expect(crossing("property-tests/generators", "test", "none")).toEqual([])
  })

  it("of the oracle stay within it, so it shares no code with the engine", () => {
    const outside = checks
      .filter((file) => isBelow("property-tests/oracle")(file) && !file.endsWith(".test.ts"))
      .flatMap(importsOf)
      .filter((target) => !isBelow("property-tests/oracle")(target))
    expect(outside).toEqual([])
  })
})

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "")

/** Code without comments, strings and templates. */
const codeOf = (text: string): string =>
  withoutComments(text)
    .replace(/`(?:[^`\\]|\\.)*`/g, "``")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')

/** Numbers of arithmetic and of the calendar, each with the files that may contain it. */
const ARITHMETIC: Readonly<Record<string, RegExp>> = {
  "0": /./,
  "1": /./,
  "2": /./,
  "0.5": /rounding|income-contingent/,
  "12": /calendar/,
  "31": /book/,
  "52": /rounding/,
  "100": /rounding|calculator|income-contingent|graduated/,
  "4": /rounding/,
  "120": /contradictions/,
  "600": /tally/,
  "0.005": /rounding/,
  "1e-7": /rounding/,
  "1e-12": /rounding/,
  "1e6": /rounding/,
  "1e8": /rounding/,
  "1e9": /income-contingent/,
  "1e-16": /annuity/,
  "100_000": /basis/
}

describe("the engine", () => {
  const files = filesOf("engine")

  const numbers = files.flatMap((file) =>
    [...codeOf(textOf(file)).matchAll(/(?<![\w$.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?/g)].map(([number]) => ({
      file,
      number
    }))
  )

  it("contains no number from the law", () => {
    const found = numbers.filter(({ file, number }) => !ARITHMETIC[number]?.test(file))
    expect(found).toEqual([])
  })

  it("uses every number on its allow list", () => {
    const written = new Set(numbers.map(({ number }) => number))
    expect(Object.keys(ARITHMETIC).filter((number) => !written.has(number))).toEqual([])
  })

  it("runs anywhere, as do the ledger, the messages and the My Aid Data reader: they import only types from the contract", () => {
    const library = filesOf("engine", "ledger", "messages", "myAidData").filter((file) => !NEEDS_NODE.includes(file))
    const taken = library.flatMap((file) =>
      [...textOf(file).matchAll(/^import ((?:type )?)[^"]*?"([^"]+)"/gm)]
        .filter(([, type, target]) => type === "" && (!target!.startsWith(".") || target!.includes("/schema/")))
        .map(([, , target]) => `${file} -> ${target}`)
    )
    expect(taken).toEqual([])
  })

  it("names each plan only in the plan's own file", async () => {
    const { WIRE_PLANS } = await import("../src/engine/plans/registry.ts")
    const names = [...WIRE_PLANS.map(({ planType }) => planType), "TIERED STANDARD"]
    const naming = files.flatMap((file) => {
      const text = textOf(file).replace(/\/\*[\s\S]*?\*\//g, "")
      return names.filter((name) => text.includes(`"${name}"`)).map((name) => `${name}: ${file}`)
    })
    expect(naming.sort()).toEqual([...new Set(naming)].sort())
    const places = naming.map((one) => one.split(": "))
    expect(places.map(([, file]) => file).filter((file) => !file!.startsWith("src/engine/plans/"))).toEqual([])
    expect(places.map(([name]) => name).sort()).toEqual(names.sort())
  })

  /** The ids after `@rule`; a star stands for any ending. */
  const tagsIn = (file: string): ReadonlyArray<string> =>
    [...textOf(file).matchAll(/@rule ([a-z0-9*, -]+)/g)].flatMap(([, list]) =>
      list!.split(",").map((id) => id.trim().split(" ")[0]!)
    )
  const isMeant = (tag: string, id: string) => (tag.endsWith("*") ? id.startsWith(tag.slice(0, -1)) : tag === id)

  it("has an @rule for every rule that it applies", async () => {
    const { rules } = await import("../ledger/index.ts")
    const tags = filesOf("engine", "messages").flatMap(tagsIn)
    const applied = rules.filter(({ informative }) => !informative).map(({ entries }) => entries.at(-1)!.id)
    expect(applied.filter((id) => !tags.some((tag) => isMeant(tag, id)))).toEqual([])
  })

  it("names an existing rule of the ledger in every @rule", async () => {
    const { constants } = await import("../ledger/index.ts")
    const tags = files.flatMap(tagsIn).filter((tag) => tag.includes("-"))
    expect(tags.filter((tag) => !constants.some(({ id }) => isMeant(tag, id)))).toEqual([])
  })
})

/**
 * Files that need Node: the service around the engine, and the computation of the ledger's version,
 * which the engine reads from the lock.
 */
const NEEDS_NODE = ["src/engine/Engine.ts", "ledger/version.ts"]

it("the verifier has at most 480 lines, so that an auditor can read it", () => {
  const lines = filesOf("proof").flatMap((file) => textOf(file).split("\n").slice(1))
  expect(lines.length).toBeLessThan(480)
})

/** Patterns that code of a part does not have, except in the named files. */
const FORBIDDEN: ReadonlyArray<[rule: string, files: ReadonlyArray<string>, pattern: RegExp, except?: string]> = [
  [
    "the engine uses no clock, randomness, environment, network or database",
    filesOf("engine"),
    /Date\.now|new Date\(\)|Math\.random|process\.|"node:|effect\/(?:sql|http)/
  ],
  ["the engine uses Effect only in its service", filesOf("engine"), /from "effect/, "src/engine/Engine.ts"],
  [
    "the engine derives no rule from the spelling of a loan type",
    filesOf("engine"),
    /loanType\.(?:includes|startsWith|endsWith|match|indexOf)|loanType [!=]== "/
  ],
  ["only the entry of the command line reads the environment", sources, /process\.env/, "src/cli/main.ts"],
  ["the services take the time only from the Effect clock", filesOf("services"), /Date\.now|new Date\(\)/],
  [
    "the services contain no HTTP status code, except where they call a witness over HTTP",
    filesOf("services"),
    /(?<![\w.])(?:400|401|404|409|413|415|429|500|503)(?![\w.])/,
    "src/services/log/askWitness.ts"
  ],
  [
    "the command line uses the process object only in its entry, so that tests can run it in their own process",
    filesOf("cli"),
    /\bprocess\.(?!versions\b)/,
    "src/cli/main.ts"
  ]
]

it.each(FORBIDDEN)("%s", (_, files, pattern, except) =>
  expect(files.filter((file) => file !== except && pattern.test(withoutComments(textOf(file))))).toEqual([])
)

/** SQL text that is chosen from a few literals in the code, never from input. */
const CHOSEN_SQL: Readonly<Record<string, ReadonlyArray<string>>> = {
  'locked === "wait" ? "" : "SKIP LOCKED"': ["src/services/answers/charges.ts"],
  "`${PAGE_LIMITS.find((pageLimit) => pageLimit > limit)!}`": ["src/services/answers/AnswerLedger.ts"]
}

describe("SQL statements [F49]", () => {
  const files = sources.filter((file) => !file.startsWith("src/database/migrations/"))
  const WRITTEN = /^(?:String\()?(?:[A-Z][A-Z_]*|"[^"]*"|`(?:[^`$]|\$\{[A-Z][A-Z_]*\})*`)\)?$/

  it("contain no runtime value: all text inserted into them is written in the code", () => {
    const put = files.flatMap((file) =>
      [...textOf(file).matchAll(/sql\.literal\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g)]
        .map(([, text]) => text!.trim())
        .filter((text) => !WRITTEN.test(text))
        .map((text) => ({ text, file }))
    )
    const byText = Map.groupBy(put, ({ text }) => text)
    expect(
      Object.fromEntries([...byText].map(([text, found]) => [text, found.map(({ file }) => file).sort()]))
    ).toEqual(CHOSEN_SQL)
  })

  it("are parameterized templates, except in migrations", () =>
    expect(files.filter((file) => /\bsql\.unsafe\b|\.unsafe[<(]/.test(codeOf(textOf(file))))).toEqual([]))
})

describe("the source", () => {
  it("has no skipped tests and no disabled checks", () => {
    const marks =
      /\b(?:it|test|describe)\.(?:skip|todo|only)\b|@ts-(?:ignore|nocheck|expect-error)|\bas any\b|biome-ignore/
    const files = [...sources, ...checks].filter((file) => file !== "test/architecture.test.ts")
    expect(files.filter((file) => marks.test(textOf(file)))).toEqual([])
  })
})
