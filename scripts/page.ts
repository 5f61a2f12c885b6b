/**
 * `npm run page`: bundles what runs in browsers into one file each: the start page, its worker with the engine, and the
 * script of the page of a record, which is left as readable as it was written, for whoever wants to see what it does.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { PROJECT } from "./programs.ts"

const WEB = join(PROJECT, "src/web")

/** By the name of the script. */
export const PAGE_SCRIPTS = { page: { minify: true }, worker: { minify: true }, verify: { minify: false } } as const
export type PageScript = keyof typeof PAGE_SCRIPTS

export const bundleFile = (name: PageScript): string => join(WEB, `${name}.bundle.js`)

export const pageScript = async (name: PageScript): Promise<string> => {
  const build = await rolldown({ input: join(WEB, `${name}.ts`), platform: "browser" })
  const { output } = await build.generate({ format: "esm", minify: PAGE_SCRIPTS[name].minify })
  await build.close()
  return output[0].code
}

if (import.meta.main) {
  for (const name of Object.keys(PAGE_SCRIPTS) as ReadonlyArray<PageScript>) {
    writeFileSync(bundleFile(name), await pageScript(name))
  }
}
