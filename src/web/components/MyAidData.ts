/** The file of studentaid.gov: its input, the result of reading it, and the button that uses it. */
import { Fragment, h } from "preact"
import type { FileReading } from "../book/file.ts"
import { texts } from "../texts.ts"
import { div, p, quiet } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { idOf } from "./fields.ts"
import type { Actions, ReadFile } from "./state.ts"

const { file: words } = texts.book

const Lines = ({ lines }: { readonly lines: ReadonlyArray<string> }) =>
  h(
    "ul",
    { class: "lines" },
    lines.map((line) => h("li", { key: line }, line))
  )

type Read = Extract<FileReading, { _tag: "Read" }>

const Looks = ({ reading: { ofLeftOut, warnings } }: { readonly reading: Read }) =>
  h(
    Fragment,
    null,
    h(Lines, { lines: warnings }),
    ofLeftOut.length > 0 && h("p", null, words.ofLeftOut),
    h(Lines, { lines: ofLeftOut })
  )

interface ReadingProps {
  readonly actions: Actions
  readonly reading: ReadFile
}

const Leave = ({ actions, text }: { readonly actions: Actions; readonly text: string }) =>
  quiet(text, actions.leaveFile)

/** The buttons stand above the warnings, whose list may be long. */
const Unused = ({ actions, reading }: { readonly actions: Actions; readonly reading: Read }) =>
  h(
    Fragment,
    null,
    h("p", null, h("b", null, reading.understood)),
    div(
      "row",
      h("button", { type: "button", class: "do", onClick: actions.useFile }, words.use),
      h(Leave, { actions, text: words.leave })
    ),
    reading.warnings.length > 0 && h("h3", null, words.needsALook),
    h(Looks, { reading })
  )

/** After use, the warnings stay with the loans, folded. */
const Used = ({ actions, reading }: { readonly actions: Actions; readonly reading: Read }) =>
  h(
    Fragment,
    null,
    h("p", null, h("b", null, words.used(reading.loans.length))),
    reading.warnings.length + reading.ofLeftOut.length > 0 &&
      h(Fold, { summary: words.needsALook, summaryClass: "more" }, h(Looks, { reading })),
    div("row", h(Leave, { actions, text: words.close }))
  )

const Reading = ({ actions, reading }: ReadingProps) =>
  h(
    "div",
    { class: "reading", role: "status" },
    reading._tag === "Refused"
      ? h(Fragment, null, p("problem", reading.sentence), div("row", h(Leave, { actions, text: words.leave })))
      : h(reading.isUsed === true ? Used : Unused, { actions, reading })
  )

interface MyAidDataProps {
  readonly actions: Actions
  readonly reading: ReadFile | undefined
  readonly prefix: string
}

/** Handlers that read a file dropped on a part of the page. */
export const dropTarget = (actions: Actions) => ({
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent) => {
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (file !== undefined) actions.readFile(file)
  }
})

export const MyAidData = ({ actions, prefix, reading }: MyAidDataProps) =>
  h(
    Fragment,
    null,
    h(
      "label",
      { class: "quiet" },
      h("input", {
        class: "vh",
        id: idOf(`${prefix}my-aid-data`),
        type: "file",
        accept: ".txt,text/plain",
        onChange: ({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) actions.readFile(file)
          // So that the same file can be chosen again, after it was downloaded anew.
          currentTarget.value = ""
        }
      }),
      reading === undefined ? (prefix === "" ? words.label : words.ofSpouse) : words.other
    ),
    reading === undefined
      ? h(Fold, { summary: words.how, summaryClass: "more" }, p("help", words.help))
      : h(Reading, { actions, reading })
  )
