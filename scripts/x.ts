/** The task runner: `npm run x -- <task> [arguments]`. */
import { runTask, say } from "./harness.ts"
import { nameOf, TASKS } from "./tasks.ts"

const WIDTH = Math.max(...Object.keys(TASKS).map((usage) => usage.length))

const [name = "list", ...args] = process.argv.slice(2)
if (name === "list") for (const [usage, about] of Object.entries(TASKS)) say(`${usage.padEnd(WIDTH)}  ${about}`)
else if (Object.keys(TASKS).map(nameOf).includes(name)) {
  process.exitCode = await runTask(name, async () => (await import(`./${name}.ts`)).default(args))
} else {
  console.error(`no task is called ${name}; npm run x -- list prints them all`)
  process.exitCode = 2
}
