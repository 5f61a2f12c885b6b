/** Each guide rendered once, when it is first asked for. In the package, the build puts the rendered pages in place of this file. */
import { Function } from "effect"
import { render } from "./render.ts"

export const rendered = Function.memoize(render)
