/** The scan of a body's text before it is parsed: what it accepts, and what it reports. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ANSWER_BOUNDS, MAX_ARMS, MAX_LABEL_CHARACTERS } from "../../schema/bounds.ts"
import { scanJson } from "../../src/request/jsonScan.ts"

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`
const object = (members: number, name = "m"): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, index) => [`${name}${index}`, index])))
const messageOf = (text: string): string | undefined => scanJson(text)?.message

describe("scanJson [F31]", () => {
  it("accepts everything that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(scanJson(JSON.stringify(value, undefined, 1))).toBeUndefined()
      }),
      { numRuns: 2000 }
    )
  })

  it("accepts no damaged text that JSON.parse refuses", () => {
    const seed = '{"a":[1,-2.5e+3,{"b":"\\u00e9\\n","c":null}],"d":true,"e":false,"f":""}'
    const damage = fc.tuple(fc.nat(seed.length), fc.nat(3), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        const text = damages.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), seed)
        if (scanJson(text) === undefined) expect(parses(text)).toBe(true)
      }),
      { numRuns: 20_000 }
    )
  })

  const NO_JSON = `NaN Infinity 01 1. .5 +1 'a' "a {a:1} [1,] {"a":1,} tru`.split(" ")
  it.each([...NO_JSON, "{} {}", "\\u0031"])("reports where %s stops being JSON", (text) =>
    expect(messageOf(text)).toMatch(/^is not valid JSON: .* at line 1, column \d+$/)
  )

  it("counts lines and columns from one", () =>
    expect(messageOf('{\n  "a": 1,\n  b\n}')).toBe("is not valid JSON: unexpected character at line 3, column 3"))

  it("counts a first line that is empty", () =>
    expect(messageOf("\n}")).toBe("is not valid JSON: unexpected character at line 2, column 1"))

  it("reports that the text ends too early", () => expect(messageOf('{"a":')).toContain("the text ends too early"))

  it("accepts nesting of 16", () => expect(scanJson(nested(16))).toBeUndefined())

  it("refuses nesting of 17", () => expect(messageOf(nested(17))).toContain("nested more than 16 deep"))

  it("refuses six kilobytes of nesting without recursing into them", () =>
    expect(messageOf(nested(3000))).toContain("nested more than 16 deep"))

  it("accepts an object of 128 members", () => expect(scanJson(object(128))).toBeUndefined())

  it("refuses an object of 129 members", () => expect(messageOf(object(129))).toContain("more than 128 members"))

  it("refuses an array of more than 4096 elements", () =>
    expect(messageOf(`[${"0,".repeat(4096)}0]`)).toContain("more than 4096 elements"))

  it("refuses more values in total than any request can need", () =>
    expect(messageOf(`[${`[${"0,".repeat(4000)}0],`.repeat(5)}0]`)).toContain("more than 16384 values"))

  it("accepts 1,024 different names, and refuses 1,025", () => {
    const objects = (each: number) => `[${Array.from({ length: 8 }, (_, i) => object(each, `n${i}_`)).join(",")}]`
    expect(scanJson(objects(128))).toBeUndefined()
    expect(messageOf(`[${objects(128)},{"one":1}]`)).toBe("has more than 1024 different names")
  })

  it("refuses texts beyond the bounds of an answer, if those are given", () => {
    const inAnswer = (text: string) => scanJson(text, ANSWER_BOUNDS)?.message
    expect(inAnswer(`{"totalOutOfPocket":-1234567890123.5}`)).toBeUndefined()
    expect(inAnswer(`{"totalOutOfPocket":2.2250738585072e-308}`)).toBe("has a number of more than 16 characters")
    expect(inAnswer(`[${object(64)},${object(64, "n")}]`)).toBeUndefined()
    expect(inAnswer(`[${object(64)},${object(65, "n")}]`)).toBe("has more than 128 different names")
    expect(inAnswer(`[${"[0,0,0],".repeat(2600)}0]`)).toBe("holds more than 10240 values")
    expect(inAnswer(`[${"{},".repeat(1199)}{}]`)).toBeUndefined()
    expect(inAnswer(`[${"{},".repeat(1200)}{}]`)).toBe("holds more than 1200 objects")
    const label = `"${"\\ud83d\\ude00".repeat(MAX_LABEL_CHARACTERS)}"`
    expect(inAnswer(`[${Array.from({ length: MAX_ARMS + 1 }, () => label).join()}]`)).toBeUndefined()
    expect(inAnswer(`"${"\\n".repeat(2048)}"`)).toBeUndefined()
    expect(inAnswer(`"${"\\n".repeat(2049)}"`)).toBe("holds more than 2048 escapes")
    expect(inAnswer(nested(8))).toBeUndefined()
    expect(inAnswer(nested(9))).toContain("nested more than 8 deep")
  })

  it("names the path of a duplicate", () =>
    expect(scanJson('{"loans":[{},{"interestRate":1,"interestRate":2}]}')).toEqual({
      path: "loans[1].interestRate",
      message: "is sent more than once; send it once"
    }))

  it("finds a duplicate that is written with an escape", () => expect(scanJson('{"a":1,"\\u0061":2}')?.path).toBe("a"))

  it("accepts the same name in two objects", () => expect(scanJson('[{"a":1},{"a":2}]')).toBeUndefined())

  it.each(['"\\ud800"', '"\\udc00"', '"\\ud800x"', '"\\ud800\\ud800"', '{"\\udfff":1}'])(
    "refuses the lone surrogate of %s",
    (text) => expect(messageOf(text)).toContain("half of a surrogate pair")
  )

  it("accepts a surrogate pair", () => expect(scanJson('"\\ud83d\\ude00"')).toBeUndefined())

  it("refuses a byte order mark", () => expect(messageOf("\ufeff{}")).toContain("byte order mark"))

  it.each(["", " \n\t"])("reports that a body is required if it is empty", (text) =>
    expect(messageOf(text)).toBe("is required: send a JSON object")
  )

  it("repeats at most 40 characters of a name", () => {
    const name = "n".repeat(200)
    expect(scanJson(`{"${name}":1,"${name}":2}`)?.path).toHaveLength(40)
  })

  it("never repeats a key", () => {
    const key = "slr_live_0123456789abcdefghijklmnopqrstuvABCDEF"
    expect(scanJson(`{"${key}":1,"${key}":2}`)?.path).toBe("slr_live_(key)")
  })
})
