/** Text that grows comes out as the UTF-8 of all that was added, however much that is beside what was expected, and can be moved. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { GrowingText } from "../../src/portfolio/growingText.ts"

it("is the UTF-8 of all that was added", () => {
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 50 }), { maxLength: 30 })
  fc.assert(
    fc.property(texts, fc.nat({ max: 2000 }), (added, expected) => {
      const text = new GrowingText(expected)
      for (const one of added) text.add(one)
      const { bytes } = text
      expect(Buffer.from(structuredClone(bytes, { transfer: [bytes.buffer] }))).toEqual(Buffer.from(added.join("")))
    })
  )
})
