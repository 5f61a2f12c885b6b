/**
 * Tests of the reader of My Aid Data files, the download from studentaid.gov. It must find exactly
 * the loans of a valid file. From any bytes it must return a result, invent no balance, and reveal
 * no name, id, address or school.
 */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { refusalSentence, understood, warningLines } from "../src/messages/myAidData.ts"
import { readMyAidData, readMyAidDataText } from "../src/myAidData/readMyAidData.ts"
import type { MyAidData, Refused } from "../src/myAidData/result.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { type AidFile, aidFiles, SECRET } from "./generators/myAidData.ts"

const seed = seedOr(20261122)
const RUNS = runs(100, 400)

const holds = <A>(arbitrary: fc.Arbitrary<A>, law: (value: A) => void): void =>
  fc.assert(fc.property(arbitrary, law), { seed, numRuns: RUNS })

/** Everything that is shown of a file: the result of reading it, and the sentences about it. */
const shownOf = (read: MyAidData | Refused): string =>
  JSON.stringify([
    read,
    ...(read._tag === "Refused" ? [refusalSentence(read)] : [understood(read), ...warningLines(read.warnings)])
  ])

/**
 * The principal balances written in the text, found by a search that is independent of the reader.
 */
const writtenBalances = (text: string): ReadonlySet<number> =>
  new Set(
    [...text.matchAll(/outstanding\s+principal\s+balance[^:]*:([^\r\n]*)/gi)].map(([, value]) =>
      Math.max(0, Number(value!.replace(/[^\d.()-]/g, "").replace(/^\((.*)\)$/, "-$1")))
    )
  )

/** Checks what must hold for any text: nothing personal is shown, and no balance is invented. */
const isSafe = (text: string): void => {
  const read = readMyAidDataText(text)
  expect(shownOf(read)).not.toContain(SECRET)
  if (read._tag === "Refused") return
  const written = writtenBalances(text)
  for (const { loan } of read.loans) {
    if (loan.principalBalance !== undefined) expect(written).toContain(loan.principalBalance)
  }
}

type Damage = readonly [place: number, character: string]

const damaged = ({ text }: AidFile, damage: ReadonlyArray<Damage>): string =>
  damage.reduce((left, [place, character]) => {
    const at = Math.floor(place * left.length)
    return left.slice(0, at) + character + left.slice(at + 1)
  }, text)

const damages = fc.array(
  fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    fc.constantFrom("", "\n", ":", " ", "$", ",", ".", "-", "7", "L", "\u0000", "\ufffd")
  ),
  { minLength: 1, maxLength: 8 }
)

describe("a My Aid Data file", () => {
  it("gives exactly its loans, in every layout", () => {
    holds(aidFiles, ({ loans, text }) => {
      const read = readMyAidData(new TextEncoder().encode(text))
      expect(read).toMatchObject({ _tag: "MyAidData", asOf: "2024-02-14" })
      expect(read._tag === "MyAidData" && read.loans).toStrictEqual(loans)
      expect(JSON.stringify(read)).not.toMatch(/-mismatch/)
    })
  })

  it("gives a first day of the file that no loan of the request contradicts, or none", () => {
    let found = 0
    holds(aidFiles, ({ made, text }) => {
      const read = readMyAidDataText(text)
      if (read._tag === "Refused" || read.firstBorrowedOn === null) return
      found++
      expect(made).toContain(read.firstBorrowedOn)
      for (const { loan } of read.loans)
        if (/^(DIRECT|FFEL) /.test(loan.loanType!)) expect(loan.madeOn! >= read.firstBorrowedOn).toBe(true)
    })
    expect(found).toBeGreaterThan(0)
  })

  it("reveals nothing personal and no invented balance, even if it is damaged", () => {
    holds(fc.tuple(aidFiles, damages), ([file, damage]) => {
      expect(file.text).toContain(SECRET)
      isSafe(file.text)
      isSafe(damaged(file, damage))
    })
  })

  it("without its beginning gives loans of the whole file with their types, or none", () => {
    holds(fc.tuple(aidFiles, fc.double({ min: 0, max: 1, noNaN: true })), ([{ loans, text }, share]) => {
      const lines = text.split(/[\r\n]+/)
      const read = readMyAidDataText(lines.slice(Math.floor(share * lines.length)).join("\n"))
      if (read._tag === "Refused") return
      for (const { loan } of read.loans) {
        const { loanType, ...rest } = loan
        const candidates = loans.filter(({ loan: whole }) =>
          Object.entries(rest).every(([member, value]) => whole[member as keyof typeof whole] === value)
        )
        expect(candidates.length).toBeGreaterThan(0)
        if (loanType !== undefined) expect(candidates.map((each) => each.loan.loanType)).toContain(loanType)
      }
    })
  })
})

describe("any bytes", () => {
  it("give a result", () => {
    holds(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(["Refused", "MyAidData"]).toContain(readMyAidData(bytes)._tag)
    })
  })

  it("as values of a file give a result without an invented balance", () => {
    const keys = ["Loan Type Code", "Loan Type", "Loan Award ID", "Loan Outstanding Principal Balance", "Loan Status"]
    const line = fc
      .tuple(fc.constantFrom(...keys), fc.string({ unit: "binary", maxLength: 12 }))
      .map(([key, value]) => `${key}:${value}`)
    holds(fc.array(line, { maxLength: 30 }), (lines) => isSafe(lines.join("\n")))
  })
})
