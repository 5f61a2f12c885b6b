/** The file of studentaid.gov: chosen or dropped, what was understood of it, and the button that uses it. */
import { Fragment, h } from "preact"
import type { FileReading } from "../book/file.ts"
import { texts } from "../texts.ts"
import type { Actions } from "./state.ts"

const { file: words } = texts.book

const Reading = ({ actions, reading }: { readonly actions: Actions; readonly reading: FileReading }) =>
  h(
    "div",
    { class: "reading", role: "status" },
    reading._tag === "Refused"
      ? h("p", { class: "problem" }, reading.sentence)
      : h(
          Fragment,
          null,
          h("p", null, h("strong", null, reading.understood)),
          h(
            "ul",
            null,
            reading.warnings.map((line) => h("li", { key: line }, line))
          )
        ),
    h(
      "p",
      { class: "buttons" },
      reading._tag === "Read" && h("button", { type: "button", onClick: actions.useFile }, words.use),
      h("button", { type: "button", onClick: actions.leaveFile }, words.leave)
    )
  )

export interface MyAidDataProps {
  readonly actions: Actions
  readonly reading: FileReading | undefined
}

export const MyAidData = ({ actions, reading }: MyAidDataProps) =>
  h(
    "div",
    {
      class: "drop",
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        const [file] = event.dataTransfer?.files ?? []
        if (file !== undefined) actions.readFile(file)
      }
    },
    h("label", { for: "my-aid-data" }, words.label),
    h("input", {
      id: "my-aid-data",
      type: "file",
      accept: ".txt,text/plain",
      "aria-describedby": "my-aid-data-help",
      onChange: ({ currentTarget }) => {
        const [file] = currentTarget.files ?? []
        if (file !== undefined) actions.readFile(file)
        // So that the same file can be chosen again, after it was downloaded anew.
        currentTarget.value = ""
      }
    }),
    h("p", { class: "help", id: "my-aid-data-help" }, words.help),
    reading !== undefined && h(Reading, { actions, reading })
  )
