/** Bars and sparklines made of block characters. A value above zero is always visible. */

const FULL = "█"
const LIGHT = "░"
const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/**
 * Two amounts in one bar, the first solid and the second light. A total of `whole` fills `cells`.
 */
export const stackedBar = (solid: number, light: number, whole: number, cells: number): string => {
  const total = solid + light
  if (total <= 0 || whole <= 0) return ""
  const length = Math.max(1, Math.round((total / whole) * cells))
  const solidCells = solid <= 0 ? 0 : Math.max(1, Math.round((solid / total) * length))
  return FULL.repeat(Math.min(length, solidCells)) + LIGHT.repeat(Math.max(0, length - solidCells))
}

/** One character for each value, a space for zero. */
export const sparkline = (values: ReadonlyArray<number>, whole: number): string =>
  values
    .map((value) => {
      if (value <= 0 || whole <= 0) return " "
      return LEVELS[Math.min(LEVELS.length - 1, Math.ceil((value / whole) * LEVELS.length) - 1)]
    })
    .join("")

export const SOLID_MARK = FULL
export const LIGHT_MARK = LIGHT
