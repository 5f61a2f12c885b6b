/** The charts of the report: bars and columns as SVG, each with its value in a tooltip. */
import { scaleLinear } from "d3-scale"
import { escapeHtml } from "../../messages/escapeHtml.ts"

export interface Bar {
  readonly name: string
  readonly value: number
  /** Share of the value drawn in another color. */
  readonly part?: number
  /** The value as text. */
  readonly label: string
}

const BAR_HEIGHT = 22
const NAMES_WIDTH = 210
const WIDTH = 720
const VALUES_WIDTH = 90

const highestOf = (bars: ReadonlyArray<Bar>): number => bars.reduce((highest, { value }) => Math.max(highest, value), 1)

const drawing = (title: string, width: number, height: number, content: string): string =>
  `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${content}</svg>`

const hint = ({ name, label }: Bar): string => `<title>${escapeHtml(`${name}: ${label}`)}</title>`

const fixed = (coordinate: number): string => coordinate.toFixed(1)

export const barsOf = (title: string, bars: ReadonlyArray<Bar>): string => {
  const x = scaleLinear([0, highestOf(bars)], [0, WIDTH - NAMES_WIDTH - VALUES_WIDTH])
  const content = bars.map((bar, index) => {
    const top = index * BAR_HEIGHT
    const end = NAMES_WIDTH + x(bar.value)
    return `<text x="0" y="${top + 15}">${escapeHtml(bar.name)}</text><rect x="${NAMES_WIDTH}" y="${top + 3}" width="${fixed(x(bar.value))}" height="${BAR_HEIGHT - 6}">${hint(bar)}</rect><text x="${fixed(end + 6)}" y="${top + 15}">${escapeHtml(bar.label)}</text>`
  })
  return drawing(title, WIDTH, bars.length * BAR_HEIGHT, content.join("\n"))
}

const PLOT_WIDTH = 320
const PLOT_HEIGHT = 130
const AXIS_HEIGHT = 18
const GAP = 1
/** Width of a name, and of each of its characters. */
const NAME_UNITS = 40
const CHARACTER_UNITS = 7

/** Vertical columns, labeled as often as there is room. No label is cut at the right edge. */
export const columnsOf = (title: string, bars: ReadonlyArray<Bar>): string => {
  const floor = PLOT_HEIGHT - AXIS_HEIGHT
  const y = scaleLinear([0, highestOf(bars)], [0, floor])
  const width = PLOT_WIDTH / Math.max(1, bars.length)
  const labelInterval = Math.ceil(NAME_UNITS / width)
  const column = (value: number, left: number, kind: string, bar: Bar) =>
    value <= 0
      ? ""
      : `<rect${kind} x="${fixed(left)}" y="${fixed(floor - y(value))}" width="${fixed(Math.max(1, width - GAP))}" height="${fixed(y(value))}">${hint(bar)}</rect>`
  const content = bars.map((bar, index) => {
    const left = index * width
    const name =
      index % labelInterval === 0 && left + CHARACTER_UNITS * bar.name.length <= PLOT_WIDTH
        ? `<text x="${fixed(left)}" y="${PLOT_HEIGHT - 4}">${escapeHtml(bar.name)}</text>`
        : ""
    return `${column(bar.value, left, "", bar)}${column(bar.part ?? 0, left, ' class="other"', bar)}${name}`
  })
  return drawing(title, PLOT_WIDTH, PLOT_HEIGHT, content.join("\n"))
}
