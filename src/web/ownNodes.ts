/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Keeps the drawing of a page right in browsers that translate it. Translators and extensions
 * replace, move and edit nodes; Preact would then write into invisible nodes, and old figures would
 * stay. So their changes are undone before each drawing, and done again wherever it changed
 * nothing.
 */

/** The children of an element, or the data of a text node. */
type Content = ReadonlyArray<ChildNode> | string

const contentOf = (node: Node): Content => (node instanceof CharacterData ? node.data : [...node.childNodes])

/** Moves no node that is in its place, or a field would lose focus and a dialog would close. */
const setContent = (node: Node, content: Content): void => {
  if (typeof content === "string") {
    node.nodeValue = content
    return
  }
  for (const child of [...node.childNodes]) if (!content.includes(child)) child.remove()
  for (const [index, child] of content.entries()) {
    const there = node.childNodes[index] ?? null
    if (there !== child) node.insertBefore(child, there)
  }
}

/** The content of the changed nodes before these changes, which are undone from the last to the first. */
const contentsBefore = (records: ReadonlyArray<MutationRecord>): ReadonlyMap<Node, Content> => {
  const before = new Map<Node, Content>()
  for (const { addedNodes, nextSibling, oldValue, removedNodes, target } of [...records].reverse()) {
    const later = before.get(target) ?? contentOf(target)
    if (typeof later === "string") {
      before.set(target, oldValue ?? "")
      continue
    }
    const added = new Set<Node>(addedNodes)
    const children = later.filter((child) => !added.has(child))
    const end = nextSibling === null ? children.length : children.indexOf(nextSibling as ChildNode)
    before.set(target, [...children.slice(0, end), ...(removedNodes as NodeListOf<ChildNode>), ...children.slice(end)])
  }
  return before
}

/** The sentence around a node. A translator may move figures within it, so it is redrawn as a whole. */
const sentenceOf = (node: Node): Element | null | undefined =>
  (node instanceof Element ? node : node.parentElement)?.closest(
    ":not(a,b,button,code,data,em,i,small,span,strong,tspan)"
  )

const withDescendants = (node: Node): ReadonlyArray<Node> => [node, ...[...node.childNodes].flatMap(withDescendants)]

const WATCHED = { childList: true, characterData: true, characterDataOldValue: true, subtree: true }

/** @returns a function that must do each drawing in the root; it takes all other changes for foreign. */
export const keepingOwnNodes = (root: HTMLElement): ((draw: () => void) => void) => {
  const own = new WeakSet<Node>([root])
  /** Own nodes that others have changed, with the content of the last drawing. */
  const drawn = new Map<Node, Content>()

  const observer = new MutationObserver((records) => note(records))
  observer.observe(root, WATCHED)

  const note = (records: ReadonlyArray<MutationRecord>): void => {
    for (const [node, content] of contentsBefore(records))
      if (own.has(node) && !drawn.has(node)) drawn.set(node, content)
    // Removed nodes are watched too, because they may change outside and come back.
    for (const { removedNodes } of records)
      for (const node of removedNodes) if (own.has(node)) observer.observe(node, WATCHED)
  }

  /**
   * Whether a foreign change can be redone. It must not move an own node elsewhere, or replace an
   * own element, because the copy would lack the current attributes and handlers.
   */
  const isOfItsOwn = (node: Node, now: Content): boolean => {
    const before = drawn.get(node)!
    if (typeof now === "string" || typeof before === "string") return true
    return (
      now.every((child) => !own.has(child) || before.includes(child)) &&
      before.every((child) => child.parentNode === node || (child.parentNode === null && !(child instanceof Element)))
    )
  }

  const drawAgain = (draw: () => void): void => {
    if (!root.isConnected) document.getElementById(root.id)?.replaceWith(root)
    note(observer.takeRecords())
    const focused = document.activeElement
    const changes = [...drawn.keys()].map((node) => {
      const content = contentOf(node)
      return { node, content, isAgain: isOfItsOwn(node, content) }
    })
    for (const [node, content] of drawn) setContent(node, content)
    observer.takeRecords()
    try {
      draw()
    } finally {
      const records = observer.takeRecords()
      for (const { addedNodes } of records)
        for (const node of addedNodes) for (const one of withDescendants(node)) own.add(one)
      const isRedrawn = (block: Node) => records.some(({ target }) => block.contains(target))
      for (const { content, isAgain, node } of changes)
        if (isAgain && root.contains(node) && !isRedrawn(sentenceOf(node)!)) setContent(node, content)
        else drawn.delete(node)
      observer.takeRecords()
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true })
  }

  // A copy of a field or button does nothing, so the own node comes back, with its input.
  const revive = (event: Event): void => {
    const target = event.target as HTMLInputElement
    const copy = event.type === "click" ? target.closest?.("button") : target
    if (!copy || own.has(copy)) return
    drawAgain(() => undefined)
    if (copy.isConnected) return
    event.preventDefault()
    const field = document.getElementById(copy.id)
    if (field === null || copy !== target || copy.type === "file") return
    Object.assign(field, { value: copy.value, checked: copy.checked })
    field.focus()
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
  for (const type of ["click", "input"]) addEventListener(type, revive)
  return drawAgain
}
