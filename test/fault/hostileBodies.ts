/**
 * Generators of hostile bodies: valid ones damaged in every way, and absurd values in every place.
 * fast-check repeats them from a seed. The right answers are not known here.
 */
import fc from "fast-check"
import { calculator, comparison, loan, plans, projection } from "../support/requests.ts"

interface HostileBody {
  readonly path: string
  readonly body: Uint8Array
}

const toolCall = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "run_projection", arguments: projection }
}

const VALID: Readonly<Record<string, object>> = {
  "/v1/projection": projection,
  "/v1/comparison": comparison,
  "/v1/plan-eligibility": { loans: [loan] },
  "/v1/calculators/loan": calculator,
  "/v1/calculators/plans": { ...plans, bestPath: true },
  "/v1/explain": projection,
  "/v1/keys/sandbox": { email: "ada@example.org" },
  "/v1/keys/claim": { sandboxKey: `slr_sbx_${"0".repeat(38)}` },
  "/webhooks/stripe": { id: "evt_1", type: "invoice.paid", data: { object: {} } },
  "/mcp": toolCall
}

/** Texts in place of a JSON value, legal or not. */
const ABSURD = [
  ..."NaN Infinity -Infinity 1e999 -1e999 1e-999 -0 -1 0.1e1 01 +1 .5 1. 0x10 1e308 9007199254740993 undefined".split(
    " "
  ),
  "9".repeat(400),
  `0.${"3".repeat(400)}`,
  ...'null true false [] {} [[]] [null] [{}] {"a":1}'.split(" "),
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\ud83d\ude00"', '"5"', '"NaN"', '"\\x41"', "'a'"],
  `"${"x".repeat(5000)}"`,
  `"${"\u202e".repeat(100)}"`,
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1}',
  '{"$ref":"#"}',
  '{"$gt":0}'
]

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const nested = (depth: number, [open, close]: readonly [string, string]) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`

/** The text with one value replaced by an absurd one. */
const replaced = (text: string): fc.Arbitrary<string> => {
  const values = [...text.matchAll(/(?<=[:[,])(?:"[^"]*"|-?[\d.]+|true|false|null)/g)]
  return fc.tuple(fc.constantFrom(...values), fc.constantFrom(...ABSURD)).map(([value, absurd]) => {
    return text.slice(0, value.index) + absurd + text.slice(value.index + value[0].length)
  })
}

const cut = (text: string): fc.Arbitrary<string> => fc.nat(text.length - 1).map((length) => text.slice(0, length))

const bitFlipped = (text: string): fc.Arbitrary<Uint8Array> => {
  const bytes = encode(text)
  const flip = fc.tuple(fc.nat(bytes.length - 1), fc.nat(7))
  return fc.array(flip, { minLength: 1, maxLength: 8 }).map((flips) => {
    const copy = bytes.slice()
    for (const [at, bit] of flips) copy[at]! ^= 1 << bit
    return copy
  })
}

const renamed = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...text.matchAll(/"[^"]+"(?=:)/g)), fc.string({ maxLength: 60, unit: "binary" }))
    .map(([name, other]) => text.slice(0, name.index) + JSON.stringify(other) + text.slice(name.index + name[0].length))

const doubled = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(...text.matchAll(/("[^"]+":)("[^"]*"|-?[\d.]+|true|false)/g)).map((member) => {
    return `${text.slice(0, member.index)}${member[0]},${text.slice(member.index)}`
  })

const deep: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 10, max: 8000 }), fc.constantFrom(["[", "]"] as const, ['{"a":', "}"] as const))
  .map(([depth, brackets]) => nested(depth, brackets))

const wide: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 100, max: 20_000 }), fc.boolean())
  .map(([width, isObject]) =>
    isObject
      ? `{${Array.from({ length: width }, (_, index) => `"k${index}":0`).join(",")}}`
      : `{"loans":[${Array.from({ length: width }, () => JSON.stringify(loan)).join(",")}]}`
  )

const misencoded = (text: string): fc.Arbitrary<Uint8Array> =>
  fc.constantFrom(
    encode(`\ufeff${text}`),
    new Uint8Array(Buffer.from(text, "utf16le")),
    new Uint8Array([...encode(text.slice(0, -1)), 0xc0, 0xaf, 0x7d]),
    new Uint8Array([...encode(text), 0]),
    encode(`${text}${text}`),
    encode(`${text},`),
    encode(`/* */${text}`),
    encode(` \n\t${text}\r\n `)
  )

const damaged = (text: string): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 2, arbitrary: cut(text).map(encode) },
    { weight: 2, arbitrary: bitFlipped(text) },
    { weight: 4, arbitrary: replaced(text).map(encode) },
    { weight: 2, arbitrary: replaced(text).chain(renamed).map(encode) },
    { weight: 1, arbitrary: doubled(text).map(encode) },
    { weight: 1, arbitrary: misencoded(text) },
    { weight: 1, arbitrary: deep.map(encode) },
    { weight: 1, arbitrary: wide.map(encode) },
    { weight: 1, arbitrary: fc.json().map(encode) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) }
  )

export const hostileBodies: fc.Arbitrary<HostileBody> = fc
  .constantFrom(...Object.entries(VALID))
  .chain(([path, valid]) => damaged(JSON.stringify(valid)).map((body) => ({ path, body })))
