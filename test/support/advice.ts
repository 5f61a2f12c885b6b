/**
 * A Vitest reporter that prints, for each failed test, the command that runs it alone with the seed
 * of its random cases.
 */
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const MAX_PRINTED = 20
const SEED = /\bseed: (-?\d+)/

/** A title escaped for the shell and for vitest's title pattern. */
const quoted = (title: string): string => `'${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", "'\\''")}'`

const commandsOf = (module: TestModule): ReadonlyArray<string> => {
  const file = relative(process.cwd(), module.moduleId)
  const { name } = module.project
  return [...module.children.allTests("failed")].map((test) => {
    const [, seed] =
      SEED.exec(
        test
          .result()
          .errors?.map(({ message }) => message)
          .join("\n") ?? ""
      ) ?? []
    const variables = [
      ...(seed === undefined ? [] : [`PROPERTY_SEED=${seed}`]),
      ...(name === "random" ? ["THOROUGH=1"] : [])
    ]
    const run = `npm run ${name === "system" ? "test:system" : "test"} -- ${file}`
    return [...variables, `${run} -t ${quoted(test.fullName)}`].join(" ")
  })
}

export default class Advice implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const commands = modules.flatMap(commandsOf)
    if (commands.length === 0) return
    console.log(`To run what failed alone:\n${commands.slice(0, MAX_PRINTED).join("\n")}`)
    if (commands.length > MAX_PRINTED) console.log(`and ${commands.length - MAX_PRINTED} more`)
  }
}
