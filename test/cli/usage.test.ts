/** Behavior common to all commands: help and usage errors. */
import { describe, expect, it } from "vitest"
import packageJson from "../../package.json" with { type: "json" }
import { linesOf, repay } from "../support/repay.ts"

const COMMANDS =
  `project, explain, compare, paths, couple, eligible, import, rules, verify, receipt, log watch, audit, mcp, openapi, help,
  serve, migrate, doctor, keys list, keys create, keys revoke, usage, mails, subscriptions list, subscriptions pay, subscriptions end,
  subscriptions allow`
    .split(/,\s+/)
    .map((command) => command.split(" "))

describe("help", () => {
  it("goes to standard output when it is requested", async () => {
    const { code, stderr, stdout } = await repay(["--help"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    for (const [command] of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} {2,}\\S`, "m"))
    expect(stdout).toContain("Exit codes: 0\n  success, 1 refused or not found, 2 invalid input or usage")
  })

  it("is short without a command: three things to do, whose words work as they are", async () => {
    const { code, stderr, stdout } = await repay([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("All commands: repay --help")
    const [compare] = stdout.match(/(?<=^ {2}repay )compare .*/m)!
    const { code: ofIt, stdout: table } = await repay([...compare.split(" "), "--table"])
    expect([ofIt, table.includes("REPAYMENT ASSISTANCE")]).toEqual([0, true])
    expect(linesOf(stdout).filter((line) => line.length > 100)).toEqual([])
  })

  it("describes every command with an example, within 100 columns", async () => {
    const helps = await Promise.all(COMMANDS.map((command) => repay([...command, "--help"])))
    for (const { code, stdout } of helps) {
      const [described = ""] = stdout.split("\n\nGLOBAL FLAGS")
      expect(code).toBe(0)
      expect(stdout).toContain("EXAMPLES")
      expect(described.split("\n").filter((line) => line.length > 100)).toEqual([])
      expect(described).toMatch(/DESCRIPTION\n {2}\S/)
    }
  })

  it("is replaced by one line and a pointer to it after a usage error", async () => {
    const { code, stderr, stdout } = await repay(["verify"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(linesOf(stderr)).toEqual(["Missing required argument: answer", "See: repay verify --help"])
  })

  it("is pointed to without the control characters of an argument, and with what was meant", async () => {
    for (const args of [
      ["\u001b[2Jx\nResults"],
      ["--\u001b[2Jx\nResults"],
      ["verify", "a", "\u001b[2Jx\u202e\nResults"]
    ]) {
      const { code, stderr } = await repay(args)
      expect([code, linesOf(stderr).length]).toEqual([2, 2])
      expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
    expect(await repay(["projct", "x.json"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'Unknown subcommand "projct" for "repay"\n\n  Did you mean this?\n    project\nSee: repay --help\n'
    })
  })

  it("is also a command", async () => {
    const [whole, wholeByFlag, one, oneByFlag, none] = await Promise.all(
      [
        ["help"],
        ["--help"],
        ["help", "subscriptions", "list"],
        ["subscriptions", "list", "-h"],
        ["help", "nothing"]
      ].map((args) => repay(args))
    )
    expect(whole).toEqual(wholeByFlag)
    expect(one).toEqual(oneByFlag)
    expect(none).toEqual({ code: 2, stdout: "", stderr: "There is no command nothing\nSee: repay --help\n" })
  })
})

describe("a usage error", () => {
  it("names what to use instead of a command that is gone", async () => {
    for (const rest of [[], ["--name", "witness.example.org/w1", "--port", "0"]]) {
      const { code, stderr, stdout } = await repay(["log", "witness", ...rest])
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(linesOf(stderr)[0]).toMatch(/^repay log witness is gone: run litewitness .*docs\/log\.md/)
    }
  })

  it("may be an unknown flag, or two flags that exclude each other", async () => {
    const unknown = await repay(["project", "x.json", "--jason"])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("--jason") })
    const both = await repay(["rules", "--json", "--table"])
    expect(both).toEqual({ code: 2, stdout: "", stderr: "--json and --table: use one of them, or neither\n" })
  })
})

describe("the command line", () => {
  it.each(["--version", "-v", "-V"])("prints its version: %s", async (flag) =>
    expect(await repay([flag])).toEqual({ code: 0, stdout: `repay v${packageJson.version}\n`, stderr: "" })
  )

  // completions.system.test.ts runs the script for bash.
  it.each(["zsh", "fish", "powershell"])("prints a completion script for %s", async (shell) =>
    expect(await repay(["--completions", shell])).toMatchObject({ code: 0, stdout: expect.stringContaining("IBR-NEW") })
  )
})
