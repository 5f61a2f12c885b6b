/** A field with its label, help and problem, linked for screen readers. */
import { type ComponentChildren, Fragment, h } from "preact"
import { div, span } from "./elements.ts"

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly value: string
  readonly problem: string | undefined
  readonly onValue: (value: string) => void
}

/** The id of a field. */
export const idOf = (name: string): string => name.replaceAll(".", "-")

/** The ids of the help, and of the problem if there is one. */
const describedBy = ({ help, name, problem }: FieldProps): string | undefined =>
  [...(help === "" ? [] : [`${idOf(name)}-help`]), ...(problem === undefined ? [] : [`${idOf(name)}-problem`])].join(
    " "
  ) || undefined

const HelpAndProblem = ({ help, name, problem }: FieldProps) =>
  h(
    Fragment,
    null,
    help !== "" && h("p", { class: "help", id: `${idOf(name)}-help` }, help),
    problem !== undefined && h("p", { class: "problem", id: `${idOf(name)}-problem` }, problem)
  )

const Framed = ({ children, field }: { readonly children?: ComponentChildren; readonly field: FieldProps }) =>
  div("field", h("label", { for: idOf(field.name) }, field.label), children, h(HelpAndProblem, field))

const common = (field: FieldProps) => ({
  id: idOf(field.name),
  name: field.name,
  "aria-describedby": describedBy(field),
  "aria-invalid": field.problem !== undefined
})

interface TextProps extends FieldProps {
  /** A dollar sign is drawn before the field, a percent sign after it. */
  readonly unit?: "$" | "%"
}

const UNITS = { before: "$", after: "%" }

const Typed = ({ isNumber, unit, ...field }: TextProps & { readonly isNumber: boolean }) =>
  h(
    Framed,
    { field },
    span(
      "input",
      unit === UNITS.before && h("i", { "aria-hidden": true }, unit),
      h("input", {
        ...common(field),
        type: "text",
        inputMode: isNumber ? "decimal" : "text",
        autoComplete: "off",
        value: field.value,
        onInput: ({ currentTarget }) => field.onValue(currentTarget.value)
      }),
      unit === UNITS.after && h("i", { "aria-hidden": true }, unit)
    )
  )

export const NumberField = (field: TextProps) => h(Typed, { ...field, isNumber: true })

/** A month or a day. It needs a full keyboard, because a numeric one may lack the slash. */
export const DayField = (field: FieldProps) => h(Typed, { ...field, isNumber: false })

export interface Choice {
  readonly value: string
  readonly text: string
}
/** Choices with their names, after an empty one. */
export const choicesOf = (names: Readonly<Record<string, string>>, first?: string): ReadonlyArray<Choice> => [
  ...(first === undefined ? [] : [{ value: "", text: first }]),
  ...Object.entries(names).map(([value, text]) => ({ value, text }))
]

export interface ChoiceGroup {
  /** Undefined for choices without a group. */
  readonly label?: string
  readonly choices: ReadonlyArray<Choice>
}

export const SelectField = ({ groups, ...field }: FieldProps & { readonly groups: ReadonlyArray<ChoiceGroup> }) => {
  const optionsOf = ({ choices }: ChoiceGroup) =>
    choices.map(({ text, value }) => h("option", { key: value, value, selected: value === field.value }, text))
  return h(
    Framed,
    { field },
    span(
      "input",
      h(
        "select",
        {
          ...common(field),
          value: field.value,
          onChange: (event: { readonly currentTarget: HTMLSelectElement }) => field.onValue(event.currentTarget.value)
        },
        groups.map((group) =>
          group.label === undefined ? optionsOf(group) : h("optgroup", { label: group.label }, optionsOf(group))
        )
      )
    )
  )
}

/** Radios, drawn as a segment. The first has the field's id, so that links lead to it. */
export const SegmentField = ({ choices, ...field }: FieldProps & { readonly choices: ReadonlyArray<Choice> }) =>
  h(
    "fieldset",
    { class: "field" },
    h("legend", null, field.label),
    div(
      "ways",
      choices.map(({ text, value }, index) =>
        h(
          "label",
          { key: value },
          h("input", {
            ...common(field),
            id: index === 0 ? idOf(field.name) : `${idOf(field.name)}-${value}`,
            type: "radio",
            value,
            checked: value === field.value,
            onChange: () => field.onValue(value)
          }),
          text
        )
      )
    ),
    h(HelpAndProblem, field)
  )

export const CheckField = (field: FieldProps) =>
  div(
    "field check",
    h("input", {
      ...common(field),
      type: "checkbox",
      value: "yes",
      checked: field.value !== "",
      onChange: ({ currentTarget }) => field.onValue(currentTarget.checked ? "yes" : "")
    }),
    h("div", null, h("label", { for: idOf(field.name) }, field.label), h(HelpAndProblem, field))
  )
