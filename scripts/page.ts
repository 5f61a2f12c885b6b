/**
 * `npm run page`: bundles the script of the page of a record with the verifier into one file that browsers load. It is
 * left as readable as it was written, for whoever wants to see what the page does.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { PROJECT } from "./programs.ts"

const FILE = join(PROJECT, "src/web/verify.bundle.js")

export const pageScript = async (): Promise<string> => {
  const build = await rolldown({ input: join(PROJECT, "src/web/verify.ts"), platform: "browser" })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  return output[0].code
}

if (import.meta.main) writeFileSync(FILE, await pageScript())
