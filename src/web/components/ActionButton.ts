/** A button of the form: an action of the page, or of the server for a browser without scripts. */
import { type ComponentChildren, h } from "preact"

interface ButtonProps {
  /** What a form without script sends. */
  readonly action: string
  readonly onPress: (() => void) | undefined
  readonly label?: string
  readonly children?: ComponentChildren
}

export const ActionButton = ({ action, children, label, onPress }: ButtonProps) =>
  h(
    "button",
    {
      name: "action",
      value: action,
      class: "quiet",
      "aria-label": label,
      onClick: (event) => {
        if (onPress === undefined) return
        event.preventDefault()
        onPress()
      }
    },
    children
  )
