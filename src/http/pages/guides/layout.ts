/** Navigation around a guide: a list of its parts or, on a folder's page, of its pages, with a search. */
import { linkHtml } from "../../../web/index.ts"
import { ANSWERS, GUIDES, type Guide, guides } from "./files.ts"
import type { Heading } from "./render.ts"
import { rendered } from "./rendered.ts"

const README = "README.md"
/** A shorter page needs no contents. */
const MIN_PARTS = 3

const listOf = (items: ReadonlyArray<string>): string =>
  items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${item}</li>`).join("\n")}</ul>`

const linksTo = (headings: ReadonlyArray<Heading>, path: string): ReadonlyArray<string> =>
  headings.map(({ id, text }) => linkHtml(`${path}#${id}`, text))

/** Every page below the folder with its headings. The script shows the search, and filters the list. */
const contentsOf = (folder: string, script: string): string => {
  const pages = guides
    .filter(({ file }) => file.startsWith(folder) && !file.endsWith(README))
    .map((guide) => linkHtml(guide.path, guide.title) + listOf(linksTo(rendered(guide).headings.slice(1), guide.path)))
  return `<search hidden><form><label>Find a heading<input type="search" autocomplete="off"></label></form><p role="status"></p></search>
<details id="contents"${folder === "" ? "" : " open"}><summary>Every page and its headings</summary><nav aria-label="Every page">${listOf(pages)}</nav></details>
<script type="module" src="${script}"></script>`
}

const partsOf = (headings: ReadonlyArray<Heading>): string => {
  const parts = headings.filter(({ depth }) => depth === 2)
  return parts.length < MIN_PARTS ? "" : `<nav aria-label="On this page">${listOf(linksTo(parts, ""))}</nav>`
}

export const mainHtml = (guide: Guide, script: string): string => {
  const { file, path, source } = guide
  const { headings, html } = rendered(guide)
  const contents =
    file.endsWith(README) && path.startsWith(GUIDES)
      ? contentsOf(file.slice(0, -README.length), script)
      : partsOf(headings)
  const [folder, name] = path.startsWith(GUIDES) ? [GUIDES, "All guides"] : [ANSWERS, "All short answers"]
  const all = path === folder ? "" : `${linkHtml(folder, name)} &middot; `
  return `<nav aria-label="Guides">${all}${linkHtml(source, "As Markdown")}</nav>
${html.replace("</h1>", (end) => `${end}\n${contents}`)}`
}
