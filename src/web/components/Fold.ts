/** A disclosure that stays as the reader has left it, and opens when something in it has to be seen. */
import { type ComponentChildren, h } from "preact"
import { useState } from "preact/hooks"

interface FoldProps {
  readonly class?: string
  /** Whether it is open at first. */
  readonly isOpen?: boolean
  /** Whether it holds something that has to be seen. */
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
  // What opened it first may go while somebody types in it; it stays open then.
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
