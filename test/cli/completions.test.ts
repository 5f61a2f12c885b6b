/** Scripts for completions. What bash makes of its own is asked of a real one by completions.system.test.ts. */
import { describe, expect, it } from "vitest"
import { repay } from "../support/repay.ts"

describe("completions in bash", () => {
  it("are there for the other shells", async () => {
    for (const shell of ["zsh", "fish", "powershell"]) {
      const { code, stdout } = await repay(["--completions", shell])
      expect({ shell, code, names: stdout.includes("IBR-NEW") }).toEqual({ shell, code: 0, names: true })
    }
  })
})
