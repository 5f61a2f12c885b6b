/** The drafts of a run on a disk that fills up. */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf } from "../../support/repay.ts"

const { file, folder } = filesOf("full")

const KILOBYTES = 64

it("leave results as they were if the disk is full, and the failure is reported", async () => {
  file("many.ndjson", linesOfBorrowers(300))
  const out = file("full.csv", "results of before")
  const command = `ulimit -f ${KILOBYTES}; exec "$0" "$@"`
  const args = ["portfolio", "run", "many.ndjson", "--threads", "1", "--out", "full.csv", "--overwrite"]
  const run = promisify(execFile)("bash", ["-c", command, process.execPath, resolve("src/cli/main.ts"), ...args], {
    cwd: folder
  })
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/full\.csv: cannot be written \(EFBIG/)
  })
  expect(readFileSync(out, "utf8")).toBe("results of before")
  expect(readdirSync(folder).sort()).toEqual(["full.csv", "many.ndjson"])
})
