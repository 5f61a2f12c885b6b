/** The compile cache of Node for processes that tests start, which halves their start time. */
import { resolve } from "node:path"

export const COMPILED = { NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled") }
