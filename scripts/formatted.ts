/** The project's formatter, for generated text. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { PROJECT } from "./harness.ts"

export const formatted = (file: string, text: string): string =>
  execFileSync(join(PROJECT, "node_modules", ".bin", "biome"), ["format", `--stdin-file-path=${file}`], {
    cwd: PROJECT,
    input: text,
    encoding: "utf8"
  })
