/** The elements that the page is full of: with a class alone, and buttons that stay in the background. */
import { type ComponentChildren, h } from "preact"

type Children = ReadonlyArray<ComponentChildren>

export const div = (name: string, ...children: Children) => h("div", { class: name }, ...children)
export const p = (name: string, ...children: Children) => h("p", { class: name }, ...children)
export const span = (name: string, ...children: Children) => h("span", { class: name }, ...children)

/** @param more other attributes of the button, and its key */
export const quiet = (text: string, onClick: () => void, more: object = {}) =>
  h("button", { type: "button", class: "quiet", ...more, onClick }, text)
