/// <reference lib="dom" />
/**
 * The script of the view that a chat program shows for an answer of the tools. It draws what the
 * program sends, loads nothing and asks for nothing.
 */
import { App, applyDocumentTheme } from "@modelcontextprotocol/ext-apps"
import { h, render } from "preact"
import { Answer } from "./chat/Answer.ts"
import { linesOf } from "./chat/content.ts"

const root = document.querySelector<HTMLElement>("#app")!
const show = (content: unknown): void => render(h(Answer, { lines: linesOf(content) }), root)

const app = new App({ name: "repayment-of-record", version: "1" })
const follow = (theme: "dark" | "light" | undefined): void => {
  if (theme !== undefined) applyDocumentTheme(theme)
}

app.addEventListener("toolresult", ({ structuredContent }) => show(structuredContent))
app.addEventListener("hostcontextchanged", ({ theme }) => follow(theme))
await app.connect()
follow(app.getHostContext()?.theme)
