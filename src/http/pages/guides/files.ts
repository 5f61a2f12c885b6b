/** The Markdown pages of docs/, read once, and their addresses: /answers for its folder, /docs/guides for all others. */
import { readdirSync, readFileSync } from "node:fs"

const FOLDER = new URL("../../../../docs/", import.meta.url)
export const GUIDES = "/docs/guides"
/** The folder of short answers for borrowers. */
const OF_ANSWERS = "answers/"
export const ANSWERS = "/answers"

export interface Guide {
  /** Its path below docs/, such as generated/faults.md. */
  readonly file: string
  readonly title: string
  readonly text: string
  /** The address of the Markdown. */
  readonly source: string
  /** The address of its HTML: that of the Markdown, without `.md`. A README has its folder's. */
  readonly path: string
}

const depth = (file: string): number => file.split("/").length

/** Pages of docs/ first, then those of its folders. */
export const guides: ReadonlyArray<Guide> = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
  .map((file) => {
    const text = readFileSync(new URL(file, FOLDER), "utf8")
    const title = /^# (.+)$/m.exec(text)![1]!
    const source = file.startsWith(OF_ANSWERS) ? `/${file}` : `${GUIDES}/${file}`
    return { file, title, text, source, path: source.replace(/(\/README)?\.md$/, "") }
  })
