/**
 * The `generate` task: writes all generated files. Each step runs in its own process, because it
 * reads files that earlier steps wrote. CONTRIBUTING.md lists the files, their sources and the
 * tests that check them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Misuse, PROJECT, run, say } from "./harness.ts"

/** Texts by the paths of their files. */
type Files = Readonly<Record<string, string>>

/** The steps, in the order in which they must run. */
export const STEPS: Readonly<Record<string, () => Promise<Files>>> = {
  lock: async () => (await import("./generate/lock.ts")).lockFiles(),
  golden: async () => (await import("./generate/golden.ts")).goldenFiles(),
  examples: async () => (await import("./generate/examples.ts")).exampleFiles(),
  document: async () => (await import("./generate/document.ts")).documentFiles(),
  client: async () => (await import("./client/contract.ts")).clientContract(),
  bundles: async () => (await import("./generate/bundles.ts")).bundleFiles(),
  evidence: async () => (await import("./generate/evidence.ts")).evidenceFiles(),
  differences: async () => (await import("./generate/differences.ts")).differencesFiles(),
  reference: async () => (await import("./generate/reference.ts")).referenceFiles(),
  metrics: async () => (await import("./generate/metrics.ts")).metricsFiles(),
  columns: async () => (await import("./generate/columns.ts")).columnsFiles(),
  faults: async () => (await import("./faults.ts")).faultsFiles()
}

/** Writes only the files whose text has changed. */
const write = (files: Files): void => {
  for (const [file, text] of Object.entries(files)) {
    const path = join(PROJECT, file)
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    say(`written: ${file}`)
  }
}

export default async (names: ReadonlyArray<string>) => {
  const unknown = names.filter((name) => !Object.hasOwn(STEPS, name))
  if (unknown.length > 0)
    throw new Misuse(`nothing is called ${unknown.join(", ")}; there is ${Object.keys(STEPS).join(", ")}`)
  const [only] = names
  if (names.length === 1) return write(await STEPS[only!]!())
  for (const name of Object.keys(STEPS)) {
    if (names.length > 0 && !names.includes(name)) continue
    say(`${name} ...`)
    process.stdout.write(await run([process.execPath, "scripts/x.ts", "generate", name]))
  }
}
