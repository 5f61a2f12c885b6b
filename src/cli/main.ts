#!/bin/sh
":" //usr/bin/env true; (: 3>&1) 2>&- || { echo "Standard output is closed." >&2; exit 1; }; exec node "$0" "$@"
/**
 * The program `repay`: the command line with this process's streams, environment and signals. The
 * shell runs the line above, because Node opens a closed standard output as /dev/null.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { commandLine } from "./run.ts"

const { exitCode, run } = commandLine(
  process.argv.slice(2),
  {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    get cwd() {
      return process.cwd()
    }
  },
  async () => (await import("../main.ts")).serve
)

NodeRuntime.runMain(run, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCode(exit))
})
