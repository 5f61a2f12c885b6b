/** The atomic writing of results when several processes write the same file. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { writeAtomically } from "../../../src/portfolio/results/outputPaths.ts"
import { filesOf } from "../../support/repay.ts"

const { folder } = filesOf("atomic")

describe("a write without overwrite", () => {
  it("keeps and reports a file that another process creates at the last moment", async () => {
    const out = join(folder, "late.csv")
    const written = writeAtomically(
      out,
      async (draft) => {
        writeFileSync(draft, "results")
        writeFileSync(out, "mine")
      },
      { overwrite: false }
    )
    await expect(written).rejects.toMatchObject({
      lines: [`${out} exists already: name another file, or add --overwrite`]
    })
    expect(readFileSync(out, "utf8")).toBe("mine")
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })

  it("succeeds for exactly one of many concurrent writers", async () => {
    const out = join(folder, "raced.csv")
    const writers = Array.from({ length: 20 }, (_, writer) =>
      writeAtomically(out, String(writer), { overwrite: false })
    )
    const ends = await Promise.allSettled(writers)
    const first = ends.findIndex(({ status }) => status === "fulfilled")
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(readFileSync(out, "utf8")).toBe(String(first))
  })
})
