/**
 * The program `repay` compared with the function: exit codes, streams, and a closed output pipe.
 */
import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { type Ended, filesOf, type How, repay } from "../support/repay.ts"
import { MAIN, repayProcess } from "../support/repayProcess.ts"
import { NO_INTEREST } from "../support/requests.ts"

const { file, folder } = filesOf("usage")

describe("the command line", () => {
  it("ends quietly when its output pipe is closed", async () => {
    const run = promisify(execFile)
    const { stderr, stdout } = await run("/bin/sh", ["-c", `"${process.execPath}" ${MAIN} rules --json | head -c 20`])
    expect(stderr).toBe("")
    expect(stdout.length).toBe(20)
  })

  it.each(["rules", "--help", "rules --help", "--version", "--completions bash"])(
    "fails if its output is lost: %s",
    (args) => {
      const { status, stderr } = spawnSync("/bin/sh", ["-c", `"${process.execPath}" ${MAIN} ${args} > /dev/full`])
      expect([status, String(stderr)]).toEqual([1, "Standard output cannot be written (ENOSPC).\n"])
    }
  )

  it("fails, as an installed program, if standard output is closed", () => {
    const { status, stderr } = spawnSync("/bin/sh", ["-c", `/bin/sh ${MAIN} rules >&-`])
    expect([status, String(stderr)]).toEqual([1, "Standard output is closed.\n"])
  })
})

const UNKNOWN = "0f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"
const INVOCATIONS: ReadonlyArray<readonly [code: number, args: ReadonlyArray<string>, how?: How]> = [
  [0, ["--help"]],
  [0, ["-V"]],
  [0, ["rules"]],
  [0, ["rules"], { isReaderGone: true }],
  [0, ["eligible", "-", "--table"], { input: JSON.stringify({ loans: NO_INTEREST.loans }), env: { FORCE_COLOR: "1" } }],
  [0, ["eligible", "loans.json"], { folder }],
  [1, ["project", "artifact.json"], { folder }],
  [2, ["comapre", "x.json"]],
  [2, ["project", "none.json"], { folder }],
  [3, ["verify", UNKNOWN, "--url", "http://127.0.0.1:1"]],
  [3, ["keys", "list"], { folder }]
]

/** Replaces the time at which an answer was computed. */
const timeless = (ended: Ended) => ({ ...ended, stdout: ended.stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "now") })

describe("the program", () => {
  it.each(INVOCATIONS.map(([code, args, how = {}]) => ({ code, args, how })))(
    "exits with $code and the output of the function: $args $how",
    async ({ args, code, how }) => {
      file("loans.json", { loans: NO_INTEREST.loans })
      file("artifact.json", { ...NO_INTEREST, loans: [{ ...NO_INTEREST.loans[0], idrMonthsInRepayment: 119 }] })
      const ended = await repayProcess(args, how)
      expect(ended.code).toBe(code)
      expect(timeless(ended)).toEqual(timeless(await repay(args, how)))
    }
  )
})
