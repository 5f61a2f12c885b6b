/**
 * A guide as HTML and as Markdown: headings have the ids of GitHub, links lead to pages of the
 * service, raw HTML is text.
 */
import { Marked, type RendererObject } from "marked"
import { escapeHtml } from "../../../messages/escapeHtml.ts"
import { GUIDES, type Guide, guides } from "./files.ts"

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

export interface Article {
  readonly html: string
  /** The Markdown without its pictures and its links to files that are not served; their text stays. */
  readonly markdown: string
  readonly headings: ReadonlyArray<Heading>
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-")

/** The target of a link of the page; undefined for a file of the repository that is not served. */
const targetOf = (href: string, from: string): string | undefined => {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const { hash, pathname } = new URL(href, `file://${GUIDES}/${from}`)
  const guide = guides.find(({ file, path }) => pathname === `${GUIDES}/${file}` || pathname === path)
  return guide && `${guide.path}${hash}`
}

export const render = ({ file, text }: Pick<Guide, "file" | "text">): Article => {
  const headings: Array<Heading> = []
  const timesUsed = new Map<string, number>()
  let markdown = text
  const renderer: RendererObject = {
    heading({ depth, tokens }) {
      const plain = this.parser.parseInline(tokens, this.parser.textRenderer)
      const slug = slugOf(plain)
      const times = timesUsed.get(slug) ?? 0
      timesUsed.set(slug, times + 1)
      const id = times === 0 ? slug : `${slug}-${times}`
      headings.push({ depth, id, text: plain })
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, raw, text: label, tokens }) {
      const target = targetOf(href, file)
      const inner = this.parser.parseInline(tokens)
      if (target !== undefined) return `<a href="${escapeHtml(target)}">${inner}</a>`
      markdown = markdown.replace(raw, () => label)
      return inner
    },
    // Pictures are not served.
    image({ raw, text: label }) {
      const inner = `(Picture: ${label})`
      markdown = markdown.replace(raw, () => inner)
      return escapeHtml(inner)
    },
    html: ({ text: raw }) => escapeHtml(raw),
    // Boxes that scroll must be reachable by keyboard.
    code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
    table({ header, rows }) {
      const label = escapeHtml(`Table: ${headings.at(-1)?.text ?? file}`)
      const lines = [header, ...rows].map((row) =>
        this.tablerow({ text: row.map((cell) => this.tablecell(cell)).join("") })
      )
      return `<div class="wide" tabindex="0" role="group" aria-label="${label}"><table><thead>${lines[0]}</thead><tbody>${lines.slice(1).join("")}</tbody></table></div>\n`
    },
    tablecell({ header, tokens }) {
      const name = header && tokens.length > 0 ? "th" : "td"
      return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
    }
  }
  const html = new Marked({ renderer }).parse(text, { async: false })
  return { html, headings, markdown }
}
