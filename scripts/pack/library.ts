/**
 * The check of the engine as a library, from an installed package: in Node and bundled for a page.
 */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import REQUEST from "../../docs/examples/projection.json" with { type: "json" }
import { insist, run } from "../harness.ts"

/** A user's program; it is run, compiled against the types, and bundled for a browser. */
const LIBRARY_PROGRAM = `import { type From, type Projection, project, type Refusal, RequestError, ruleVersion } from "repayment-of-record/engine"

const from: From = { start: { year: 2026, month: 12 } }
const request = ${JSON.stringify(REQUEST)} as const
const answer: Projection | Refusal = project(request, from)
const refused = (): string => {
  try {
    project({ ...request, loans: [{ ...request.loans[0], interestRate: 6 }] }, from)
  } catch (error) {
    if (error instanceof RequestError) return Object.keys(error.errors).join()
  }
  return "nothing"
}
const payment = answer._tag === "Refusal" ? 0 : answer.year1MonthlyPayment
console.log(JSON.stringify({ payment, ruleVersion, refused: refused() }))
`

/** Limit of the compressed size in a page that bundles the engine from the package. */
const MAX_ENGINE_GZIPPED_BYTES = 67 * 1024

export const checkLibrary = async (folder: string): Promise<string> => {
  writeFileSync(join(folder, "library.ts"), LIBRARY_PROGRAM)
  const expected = { payment: 250, refused: "loans[0].interestRate" }
  const outputOf = async (program: string) =>
    JSON.parse(await run([process.execPath, program], { cwd: folder })) as Record<string, unknown>
  const inNode = await outputOf("library.ts")
  const holds = Object.entries(expected).every(([name, value]) => inNode[name] === value)
  insist(holds, `the library said ${JSON.stringify(inNode)}`)
  const build = await rolldown({ input: join(folder, "library.ts"), platform: "browser" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  const [{ code, imports }] = output
  writeFileSync(join(folder, "library.bundle.mjs"), code)
  const bundled = await outputOf("library.bundle.mjs")
  insist(imports.length === 0 && isDeepStrictEqual(bundled, inNode), `the bundle said ${JSON.stringify(bundled)}`)
  const gzipped = gzipSync(code, { level: 9 }).byteLength
  insist(gzipped < MAX_ENGINE_GZIPPED_BYTES, `${gzipped} bytes are more than ${MAX_ENGINE_GZIPPED_BYTES}`)
  return `$${inNode["payment"]} a month; a page that bundles it loads ${code.length} bytes, ${gzipped} gzipped`
}
