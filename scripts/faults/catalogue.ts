/**
 * The catalogue of faults (failures and attacks): their texts, and the tests that cover them. It
 * runs nothing. A test names its faults at the end of its title, such as "lose no answer [F2]". A
 * tag in the title of a group covers all its tests.
 */
import { globSync, readFileSync } from "node:fs"
import texts from "./faults.json" with { type: "json" }

export interface Fault {
  readonly id: string
  /** The failure or attack. */
  readonly fault: string
  /** What the service still guarantees. */
  readonly holds: string
  /** Why no test shows it, or why the behavior is intended. */
  readonly reason?: string
  /** Files of the tests that show it; none if there is only a reason. */
  readonly shown: ReadonlyArray<string>
}

export const tagOf = (id: string): string => `[${id}]`

const TITLE = /(["'`])((?:\\.|(?!\1)[^\\\n])*?)((?: \[F\d+\])+)\1/g

/** The files whose test titles name each fault. */
const tagged = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = globSync(["test/**/*.test.ts", "property-tests/**/*.test.ts"])
    .sort()
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(TITLE)].flatMap(([, , , tags]) =>
        [...tags!.matchAll(/F\d+/g)].map(([id]) => ({ id, file }))
      )
    )
  const files = (all: typeof found) => [...new Set(all.map(({ file }) => file))]
  return new Map([...Map.groupBy(found, ({ id }) => id)].map(([id, all]) => [id, files(all)]))
}

const SHOWN = tagged()

export const FAULTS: ReadonlyArray<Fault> = Object.entries(texts).map(([id, text]) => ({
  id,
  ...text,
  shown: SHOWN.get(id) ?? []
}))

/** Faults that tests name but that are not in the catalogue. */
export const UNKNOWN: ReadonlyArray<string> = [...SHOWN.keys()].filter((id) => !Object.hasOwn(texts, id))

const FAULTS_FILE = "docs/generated/faults.md"

const linked = (file: string): string => `[${file.slice(file.indexOf("/") + 1, -".test.ts".length)}](../../${file})`

const rowOf = ({ fault, holds, id, reason = "", shown }: Fault): string =>
  `| ${id} | ${fault} | ${`${holds} ${reason}`.trim()} | ${shown.map(linked).join(", ")} |`

const renderFaults = (): string => `# Faults

Failures and attacks that the service must withstand: what was tried, what still holds, and the
tests that show it.

\`\`\`sh
npm run --silent x -- faults           # runs all of these tests, one line for each fault
npm run --silent x -- faults F12 F14   # those of two faults
FAULT_SCALE=10 npm run x -- faults     # ten times as long where a test repeats something
\`\`\`

The command exits with 1 if a test fails or does not run. A test names its faults in its title, so
\`grep -rn "\\[F12\\]" test property-tests\` finds them. Faults from F58 on were found by attacking the
service. Numbers that are missing were never used.

\`npm run x -- generate faults\` makes this page from \`scripts/faults/faults.json\` and the titles. A
test fails if the page is out of date, or if a fault has neither a test nor a reason.

| id | failure or attack | what holds | shown in |
|---|---|---|---|
${FAULTS.map(rowOf).join("\n")}
`

export const faultsFiles = () => ({ [FAULTS_FILE]: renderFaults() })
