/** The file of studentaid.gov: chosen or dropped, what was understood of it, and the button that uses it. */
import { Fragment, h } from "preact"
import type { FileReading } from "../book/file.ts"
import { texts } from "../texts.ts"
import type { Actions, State } from "./state.ts"

const { file: words } = texts.book

const Lines = ({ lines }: { readonly lines: ReadonlyArray<string> }) =>
  h(
    "ul",
    null,
    lines.map((line) => h("li", { key: line }, line))
  )

/** What is to be known of the loans stays beside them after they were filled in. */
const Found = ({
  isUsed,
  reading
}: {
  readonly isUsed: boolean
  readonly reading: Extract<FileReading, { _tag: "Read" }>
}) =>
  h(
    Fragment,
    null,
    h("p", null, h("strong", null, isUsed ? words.used : reading.understood)),
    h(Lines, { lines: reading.warnings }),
    reading.ofLeftOut.length > 0 && h("p", null, words.ofLeftOut),
    h(Lines, { lines: reading.ofLeftOut })
  )

const Reading = ({
  actions,
  reading
}: {
  readonly actions: Actions
  readonly reading: NonNullable<State["reading"]>
}) => {
  const isUsed = reading.isUsed === true
  return h(
    "div",
    { class: "reading", role: "status" },
    reading._tag === "Refused" ? h("p", { class: "problem" }, reading.sentence) : h(Found, { isUsed, reading }),
    h(
      "p",
      { class: "buttons" },
      reading._tag === "Read" && !isUsed && h("button", { type: "button", onClick: actions.useFile }, words.use),
      h("button", { type: "button", onClick: actions.leaveFile }, words.leave)
    )
  )
}

interface MyAidDataProps {
  readonly actions: Actions
  readonly reading: State["reading"]
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
