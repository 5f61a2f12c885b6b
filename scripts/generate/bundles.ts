/**
 * What runs in browsers, bundled into one file each: the start page, its worker with the engine,
 * and the script of the page of a record, which is left as readable as it was written, for whoever
 * wants to see what it does.
 */
import { rolldown } from "rolldown"

/** By the name of the script. */
export const PAGE_SCRIPTS = { page: { minify: true }, worker: { minify: true }, verify: { minify: false } } as const
export type PageScript = keyof typeof PAGE_SCRIPTS

export const bundleFile = (name: PageScript): string => `src/web/generated/${name}.bundle.js`

export const pageScript = async (name: PageScript): Promise<string> => {
  const build = await rolldown({ input: `src/web/${name}.ts`, platform: "browser" })
  const { output } = await build.generate({ format: "esm", minify: PAGE_SCRIPTS[name].minify })
  await build.close()
  return output[0].code
}

export const bundleFiles = async (): Promise<Readonly<Record<string, string>>> => {
  const names = Object.keys(PAGE_SCRIPTS) as ReadonlyArray<PageScript>
  const scripts = names.map(async (name) => [bundleFile(name), await pageScript(name)] as const)
  return Object.fromEntries(await Promise.all(scripts))
}
