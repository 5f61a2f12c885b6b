/** The program in the client's README, run unchanged against the running service. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { PUBLIC_URL, useService } from "../support/runningService.ts"

const service = useService()

/** The README's first program, with this service's address and this client's path inserted. */
const documentedProgram = (): string => {
  const [, program] = /```ts\n(import[\s\S]*?)```/.exec(readFileSync("src/client/plain/README.md", "utf8"))!
  const client = pathToFileURL(resolve("src/client/plain/index.ts")).href
  return program!
    .replace('"@repayment-of-record/client"', JSON.stringify(client))
    .replace('"http://127.0.0.1:8080"', JSON.stringify(service().base))
}

it("the program in the client's README prints a payment and the URL that verifies it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repay-documented-"))
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  writeFileSync(join(folder, "program.ts"), documentedProgram())
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "program.ts")])
  rmSync(folder, { recursive: true, force: true })
  expect(stdout).toMatch(new RegExp(`^\\d+ ${PUBLIC_URL}/v1/verify/[0-9a-f-]{36}\\n$`))
})
