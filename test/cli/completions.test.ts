/**
 * Completion scripts of zsh, fish and PowerShell. completions.system.test.ts runs the one for bash.
 */
import { describe, expect, it } from "vitest"
import { repay } from "../support/repay.ts"

describe("completion scripts", () => {
  it("exist for zsh, fish and PowerShell", async () => {
    for (const shell of ["zsh", "fish", "powershell"]) {
      const { code, stdout } = await repay(["--completions", shell])
      expect({ shell, code, names: stdout.includes("IBR-NEW") }).toEqual({ shell, code: 0, names: true })
    }
  })
})
