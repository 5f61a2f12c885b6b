/**
 * Each guide rendered once, when it is first requested. The build replaces this file with one that
 * contains the rendered guides.
 */
import { Function } from "effect"
import { render } from "./render.ts"

export const rendered = Function.memoize(render)
