/**
 * Tests that a read-only command creates no file, and reports a missing installation. They run
 * commands as functions or as processes.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, expect, it } from "vitest"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { type Ended, type How, linesOf } from "../support/repay.ts"
import { comparisonOf, projection } from "../support/requests.ts"

const AT_ONCE = 3

const ID = "00000000-0000-4000-8000-000000000000"

const WITHOUT_INSTALLATION: ReadonlyArray<readonly [ReadonlyArray<string>, input?: unknown]> = [
  [["help"]],
  [["-V"]],
  [["--completions", "bash"]],
  [["project", "-"], projection],
  [["explain", "-"], projection],
  [["compare", "-"], comparisonOf("STANDARD", "EXTENDED")],
  [["paths", "-"], projection],
  [["eligible", "-"], { loans: projection.loans }],
  [["import", resolve("test/myAidData/samples/01-direct-loans.txt")]],
  [["project", "--example"]],
  [["project", "--plan", "RAP", "--income", "60000", "--balance", "30000", "--rate", "6"]],
  [["rules"]],
  [["openapi"]],
  [["mcp"]]
]

const WITH_INSTALLATION: ReadonlyArray<ReadonlyArray<string>> = [
  ["verify", ID],
  ["receipt", ID],
  ["audit"],
  ["keys", "list"],
  ["keys", "create", "--email", "you@example.org", "--tier", "production"],
  ["keys", "revoke", "slr_sbx_Ab12Cd"],
  ["usage"],
  ["mails"],
  ["subscriptions", "list"],
  ["subscriptions", "pay", "you@example.org"],
  ["subscriptions", "end", ID],
  ["subscriptions", "allow", ID]
]

/** @param run the command line: as a function or as a process */
export const testsInEmptyFolder = (run: (args: ReadonlyArray<string>, how: How) => Promise<Ended>) => {
  const root = mkdtempSync(join(tmpdir(), "repay-nothing-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  let folders = 0

  /** Runs a command in an empty folder that is also its home, and returns the files left there. */
  const inEmptyFolder = async (args: ReadonlyArray<string>, input = "") => {
    const folder = join(root, String(folders++))
    mkdirSync(folder)
    const ended = await run(args, { folder, input, env: { HOME: folder, TMPDIR: folder } })
    return { ...ended, folder, left: readdirSync(folder, { recursive: true }) }
  }

  it("creates no file if it needs no installation", async () => {
    await fewAtOnce(AT_ONCE, WITHOUT_INSTALLATION, async ([args, input]) => {
      const { code, left } = await inEmptyFolder(args, input === undefined ? "" : JSON.stringify(input))
      expect({ args, code, left }).toEqual({ args, code: 0, left: [] })
    })
  })

  it("reports a missing installation instead of creating one", async () => {
    await fewAtOnce(AT_ONCE, WITH_INSTALLATION, async (args) => {
      const { code, folder, left, stderr, stdout } = await inEmptyFolder(args)
      expect({ args, code, left, stdout }).toEqual({ args, code: 3, left: [], stdout: "" })
      expect(linesOf(stderr)).toEqual([
        `There is no database in ${folder}/.data; set DATABASE_URL, or DATA_DIR to the data directory of the service.`
      ])
    })
  }, 90_000)

  it("creates no file when doctor examines the folder", async () => {
    const { code, left, stdout } = await inEmptyFolder(["doctor"])
    expect({ code, left }).toEqual({ code: 1, left: [] })
    expect(JSON.parse(stdout).isWell).toBe(false)
  })
}
