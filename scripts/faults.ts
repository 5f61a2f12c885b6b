/**
 * The `faults` task: runs the tests of faults (failures and attacks that the service must
 * withstand), all or those of some faults. A test names its faults in its title, as in "lose no
 * answer [F2]"; in the title of a group they cover all its tests. The page of faults is made of
 * these titles.
 */
import { globSync, readFileSync } from "node:fs"
import { insist, Misuse } from "./harness.ts"
import { runTests } from "./vitest.ts"

const TAG = / \[(F\d+)\]/g
/** Indentation and title of a test or group; also of a row that names a fault in a test's title. */
const TITLE = /^( *)(?:(?:(?:describe|it|layer)\b.*?|[\])}]+)\(\s*|\[(?=.* \[F\d))(["'`])(.*?)\2,/gm
const PLACEHOLDER = /\$\{[^}]*\}|\$\w+|%[a-z]/g

/** What a file says about a fault: a group of tests with their titles. */
interface Shown {
  readonly file: string
  readonly group: string
  readonly titles: ReadonlyArray<string>
}

const plain = (title: string): string => title.replace(TAG, "").replace(PLACEHOLDER, "…").replaceAll("<", "&lt;")

/** What a file says about each fault that it names. The formatter's indentation shows the groups. */
const shownIn = (file: string) => {
  const lines = [...readFileSync(file, "utf8").matchAll(TITLE)].map(([, indentation, , title]) => ({
    depth: indentation!.length,
    title: title!
  }))
  return lines.flatMap((line, index) => {
    const end = lines.findIndex(({ depth }, at) => at > index && depth <= line.depth)
    const tests = lines.slice(index + 1, end === -1 ? undefined : end)
    const groups = tests.length > 0 ? [line] : []
    for (const one of lines.slice(0, index).reverse()) if (one.depth < (groups[0] ?? line).depth) groups.unshift(one)
    const [group, titles] = [groups, tests.length > 0 ? tests : [line]].map((all) => all.map((one) => plain(one.title)))
    return [...line.title.matchAll(TAG)].map(([, id]) => ({ id: id!, file, group: group!.join(" "), titles: titles! }))
  })
}

const FAULTS: ReadonlyMap<string, ReadonlyArray<Shown>> = Map.groupBy(
  globSync(["test/**/*.test.ts", "property-tests/**/*.test.ts"]).sort().flatMap(shownIn),
  ({ id }) => id
)

const sectionOf = (id: string): string => {
  const groups = Map.groupBy(FAULTS.get(id)!, ({ file, group }) => `${file} ${group}`)
  const items = [...groups.values()].map((all) => {
    const { file, group } = all[0]!
    const name = file.slice(file.indexOf("/") + 1, -".test.ts".length)
    const titles = [...new Set(all.flatMap((one) => one.titles))]
    return `- ${group === "" ? "" : `**${group}** `}${titles.join("; ")} ([${name}](../../${file}))`
  })
  return [`## ${id}`, "", ...items, ""].join("\n")
}

const IDS = [...FAULTS.keys()].sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)))

export const faultsFiles = () => ({
  "docs/generated/faults.md": `# Faults

Failures and attacks that the service must withstand, in the words of the tests that show it: what
was tried is bold, and what holds follows. "…" is a value that varies.

\`\`\`sh
npm run x -- faults                    # runs all of these tests
npm run x -- faults F12 F14            # those of two faults
FAULT_SCALE=10 npm run x -- faults     # ten times as long where a test repeats something
\`\`\`

Faults from F58 on were found by attacking the service. Numbers that are missing are not in use.
\`npm run x -- generate faults\` makes this page.

${IDS.map(sectionOf).join("\n")}`
})

/** Runs whole files, because a test may depend on earlier ones. */
export default async (ids: ReadonlyArray<string>) => {
  const unknown = ids.filter((id) => !FAULTS.has(id))
  if (unknown.length > 0) throw new Misuse(`no test names ${unknown.join(", ")}; the faults are ${IDS.join(" ")}`)
  const files = (ids.length === 0 ? IDS : ids).flatMap((id) => FAULTS.get(id)!.map(({ file }) => file))
  insist(await runTests([...new Set(files)]), "a fault is not held")
}
