/**
 * The browser bundles, one file each: the start page, its worker with the engine, the script of the
 * record page and the search of the guides. The last two are not minified, so that users can read
 * them.
 */
import { rolldown } from "rolldown"

/** Options by name of the script. */
export const PAGE_SCRIPTS = {
  page: { minify: true },
  worker: { minify: true },
  verify: { minify: false },
  guides: { minify: false }
} as const
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
