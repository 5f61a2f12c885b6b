/** A field with its label, help and problem, tied together for those who do not see them. */
import { type ComponentChildren, Fragment, h } from "preact"

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly value: string
  readonly problem: string | undefined
  /** Missing on a page that runs no script. */
  readonly onValue?: ((value: string) => void) | undefined
}

const idOf = (name: string): string => name.replace(".", "-")

/** What names the help, and the problem if there is one. */
const describedBy = ({ name, problem }: FieldProps): string =>
  `${idOf(name)}-help${problem === undefined ? "" : ` ${idOf(name)}-problem`}`

const HelpAndProblem = ({ help, name, problem }: FieldProps) =>
  h(
    Fragment,
    null,
    h("p", { class: "help", id: `${idOf(name)}-help` }, help),
    problem !== undefined && h("p", { class: "problem", id: `${idOf(name)}-problem` }, problem)
  )

const Framed = ({ children, field }: { readonly children?: ComponentChildren; readonly field: FieldProps }) =>
  h("div", { class: "field" }, h("label", { for: idOf(field.name) }, field.label), children, h(HelpAndProblem, field))

const common = (field: FieldProps) => ({
  id: idOf(field.name),
  name: field.name,
  "aria-describedby": describedBy(field),
  "aria-invalid": field.problem !== undefined
})

export const NumberField = (field: FieldProps) =>
  h(
    Framed,
    { field },
    h("input", {
      ...common(field),
      type: "text",
      inputMode: "decimal",
      autoComplete: "off",
      value: field.value,
      onInput: ({ currentTarget }) => field.onValue?.(currentTarget.value)
    })
  )

interface Choice {
  readonly value: string
  readonly text: string
}
export interface ChoiceGroup {
  /** Missing for choices that stand alone. */
  readonly label?: string
  readonly choices: ReadonlyArray<Choice>
}

export const SelectField = ({ groups, ...field }: FieldProps & { readonly groups: ReadonlyArray<ChoiceGroup> }) => {
  const optionsOf = ({ choices }: ChoiceGroup) =>
    choices.map(({ text, value }) => h("option", { key: value, value, selected: value === field.value }, text))
  return h(
    Framed,
    { field },
    h(
      "select",
      {
        ...common(field),
        value: field.value,
        onChange: (event: { readonly currentTarget: HTMLSelectElement }) => field.onValue?.(event.currentTarget.value)
      },
      groups.map((group) =>
        group.label === undefined ? optionsOf(group) : h("optgroup", { label: group.label }, optionsOf(group))
      )
    )
  )
}

export const CheckField = (field: FieldProps) =>
  h(
    "div",
    { class: "field check" },
    h("input", {
      ...common(field),
      type: "checkbox",
      value: "yes",
      checked: field.value !== "",
      onChange: ({ currentTarget }) => field.onValue?.(currentTarget.checked ? "yes" : "")
    }),
    h("label", { for: idOf(field.name) }, field.label),
    h(HelpAndProblem, field)
  )
