/** Tests of canonical JSON against the examples of RFC 8785. */
import { describe, expect, it } from "vitest"
import { listWriter, objectWriter, writerOf } from "../../src/request/canonical.ts"

const writeNumber = writerOf({ kind: "number", min: 0, max: 1, send: "a number" })
const writeText = writerOf({ kind: "text", message: "must be text" })

describe("canonical JSON [F54]", () => {
  /** RFC 8785, section 3.2.2 (numbers) and 3.2.3 (sorting of names by UTF-16 code units). */
  it("follows RFC 8785", () => {
    const numbers = JSON.parse("[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]")
    const write = objectWriter({ numbers: listWriter(writeNumber) })
    expect(write({ numbers })).toBe('{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}')
    const names = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 }
    const writeNames = objectWriter(Object.fromEntries(Object.keys(names).map((name) => [name, writeNumber])))
    expect(writeNames(names)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}')
  })
})

/** RFC 8785, appendix B: the bits of a double, and its text. */
const DOUBLES: ReadonlyArray<readonly [bits: string, text: string]> = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"]
]

describe("a number in canonical JSON [F54]", () => {
  it.each(DOUBLES)("with the bits %s is written %s", (bits, text) => {
    const double = Buffer.from(bits, "hex").readDoubleBE()
    expect(writeNumber(double as never)).toBe(text)
  })
})

describe("a text in canonical JSON [F54]", () => {
  /** RFC 8785, section 3.2.2.2. */
  it("has only the escapes that are required, each in its shortest form", () => {
    const text = JSON.parse('"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"')
    expect(writeText(text as never)).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"')
  })
})
