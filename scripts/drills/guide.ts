/** The blocks of commands of deploy/README.md, by the bold words or the heading before each. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { insist, PROJECT } from "../harness.ts"

const BLOCKS = /^(?:\*\*([^*]+)\*\*|### (.+)$)(?:(?!^\*\*|^### |^```)[\s\S])*?^```sh\n([\s\S]*?)^```$/gm

const blocks = new Map(
  [...readFileSync(join(PROJECT, "deploy/README.md"), "utf8").matchAll(BLOCKS)].map(([, bold, heading, block]) => [
    (bold ?? heading)!.replace(/[.,]$/, ""),
    block!
  ])
)

/** The commands under a title. */
export const commandsOf = (title: string): string => {
  const block = blocks.get(title)
  insist(block !== undefined, `the guide has no commands for ${title}: ${[...blocks.keys()].join(", ")}`)
  return block!
}
