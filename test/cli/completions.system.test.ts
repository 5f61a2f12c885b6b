/** Completions in a real bash, which calls the script as at a prompt. */
import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("completions")
const run = promisify(execFile)

/** Sets the variables that bash passes to a completion function, and prints what it offers. */
const ASK = `
source ./repay.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
function=$(complete -p repay | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
"$function" repay "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`

const offered = async (...words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("bash", ["--norc", "--noprofile", "-c", ASK, "bash", ...words], { cwd: folder })
  return linesOf(stdout).toSorted()
}

beforeAll(async () => {
  const { stdout } = await repay(["--completions", "bash"])
  file("repay.bash", stdout)
  file("request.json", "{}")
  mkdirSync(join(folder, "kept"))
  file("kept/older.json", "{}")
})

describe("completions in bash", () => {
  it("offer files for commands that take one", async () => {
    for (const command of ["project", "compare", "eligible", "import", "verify"]) {
      expect({ command, offered: await offered("repay", command, "re") }).toEqual({
        command,
        offered: ["repay.bash", "request.json"]
      })
    }
    expect(await offered("repay", "project", "")).toEqual(["kept", "repay.bash", "request.json"])
    expect(await offered("repay", "project", "kept/")).toEqual(["kept/older.json"])
    expect(await offered("repay", "project", "--table", "req")).toEqual(["request.json"])
  })

  it("offer files for flags that take one", async () => {
    expect(await offered("repay", "rules", "--diff", "req")).toEqual(["request.json"])
    expect(await offered("repay", "audit", "--checkpoint", "req")).toEqual(["request.json"])
    expect(await offered("repay", "verify", "x", "--receipt", "req")).toEqual(["request.json"])
    expect(await offered("repay", "log", "watch", "--out", "ke")).toEqual(["kept"])
  })

  it("offer commands, flags and the names that a flag accepts", async () => {
    expect(await offered("repay", "he")).toEqual(["help"])
    expect(await offered("repay", "project", "--sp")).toEqual(["--spouse-balance", "--spouse-income"])
    expect(await offered("repay", "project", "--plan", "I")).toEqual(["IBR-NEW", "IBR-OLD", "ICR"])
    expect(await offered("repay", "project", "--state", "W")).toEqual(["WA", "WI", "WV", "WY"])
    expect(await offered("repay", "eligible", "--type", "direct-stafford-u")).toEqual(["direct-stafford-unsubsidized"])
  })

  it("offer commands after help, and then their subcommands", async () => {
    expect(await offered("repay", "help", "c")).toEqual(["compare", "couple"])
    expect(await offered("repay", "help", "subscriptions", "al")).toEqual(["allow"])
  })
})
