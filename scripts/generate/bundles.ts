/**
 * The browser bundles, one file each: the start page, its worker with the engine, the script of the
 * record page and the search of the guides. The last two are not minified, so that users can read
 * them. And the view of an answer in a chat program, with its style and script in it.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { rolldown } from "rolldown"
import { CHAT_STYLES, chatFile } from "../../src/web/index.ts"

/** Options by name of the script. */
export const PAGE_SCRIPTS = {
  page: { minify: true },
  worker: { minify: true },
  verify: { minify: false },
  guides: { minify: false }
} as const
export type PageScript = keyof typeof PAGE_SCRIPTS

export const bundleFile = (name: PageScript): string => `src/web/generated/${name}.bundle.js`

/** Modules here do nothing but define, so what nothing uses is left out. */
const TREESHAKE = { moduleSideEffects: false }

const bundled = async (name: string, minify: boolean, treeshake: object = {}): Promise<string> => {
  const build = await rolldown({ input: `src/web/${name}.ts`, platform: "browser", treeshake })
  const { output } = await build.generate({ format: "esm", minify })
  await build.close()
  return output[0].code
}

export const pageScript = async (name: PageScript): Promise<string> => {
  return bundled(name, PAGE_SCRIPTS[name].minify)
}

export const CHAT_FILE = "src/web/generated/chat.html"

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

export const chatHtml = async (): Promise<string> => {
  // A script in a page ends where its text seems to close it.
  const script = (await bundled("chat", true, TREESHAKE)).replaceAll("</script", "<\\/script")
  const style = CHAT_STYLES.map((file) => readFileSync(`src/web/${file}`, "utf8")).join("")
  return chatFile(style, script, `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}`)
}

export const bundleFiles = async (): Promise<Readonly<Record<string, string>>> => {
  const names = Object.keys(PAGE_SCRIPTS) as ReadonlyArray<PageScript>
  const scripts = names.map(async (name) => [bundleFile(name), await pageScript(name)] as const)
  return { ...Object.fromEntries(await Promise.all(scripts)), [CHAT_FILE]: await chatHtml() }
}
