/** A disclosure that stays as the reader left it, and opens when its content needs attention. */
import { type ComponentChildren, h } from "preact"
import { useState } from "preact/hooks"

interface FoldProps {
  readonly class?: string
  /** Whether it is open at first. */
  readonly isOpen?: boolean
  /** Whether its content needs attention. */
  readonly isNeeded?: boolean
  /** The id of its summary. */
  readonly id?: string
  readonly summary: ComponentChildren
  readonly summaryClass?: string
  readonly children?: ComponentChildren
}

/** The arrow of a disclosure. */
const Arrow = () => h("i", { class: "go", "aria-hidden": true })

export const Fold = ({ children, id, isNeeded = false, isOpen = false, summary, summaryClass, ...rest }: FoldProps) => {
  // The reason for opening may vanish while the reader types in the fold, which then stays open.
  const [isShown, setShown] = useState(isOpen)
  return h(
    "details",
    {
      class: rest.class,
      open: isShown || isNeeded,
      onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => setShown(currentTarget.open)
    },
    h("summary", { id, class: summaryClass }, summary, h(Arrow, null)),
    children
  )
}
