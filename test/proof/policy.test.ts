/**
 * Trust policies and cosignatures: the grammar of C2SP tlog-policy, line by line, and who saw a
 * checkpoint. Cosignatures are made here with Node's own Ed25519, as tlog-cosignature says.
 */
import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { cosignatureOf } from "../../src/proof/note.ts"
import { parsePolicy, witnessedBy } from "../../src/proof/policy.ts"
import { checkpointText, makeSigner, signNote } from "../../src/services/log/keys.ts"
import { makeCosigner } from "../support/witness.ts"

const ORIGIN = "log.example/log"
const AT = 1_679_315_147

/** A key by the text of the specifications, independent of src/. */
const keyOf = (name: string, type: number) => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32)
  const id = createHash("sha256")
    .update(Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([type]), raw]))
    .digest()
    .subarray(0, 4)
  const verifierKey = `${name}+${id.toString("hex")}+${Buffer.concat([Buffer.from([type]), raw]).toString("base64")}`
  const cosign = (text: string, seconds = AT) => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds))
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey)
    return `— ${name} ${Buffer.concat([id, time, signature]).toString("base64")}\n`
  }
  return { raw, verifierKey, cosign }
}

const [one, two, three] = ["w.example/1", "w.example/2", "w.example/3"].map((name) => keyOf(name, 4)) as [
  ReturnType<typeof keyOf>,
  ReturnType<typeof keyOf>,
  ReturnType<typeof keyOf>
]
const log = await makeSigner(ORIGIN, new Uint8Array(32).fill(7))
const TEXT = checkpointText({ origin: ORIGIN, size: 3, root: new Uint8Array(32).fill(1) })
const NOTE = await signNote(TEXT, [log])

const WITNESSES = `witness one ${one.verifierKey}
witness two ${two.verifierKey} https://w.example/2/
witness three ${three.verifierKey}
`
const policyWith = (...lines: ReadonlyArray<string>) => `log ${log.verifierKey}\n${WITNESSES}${lines.join("\n")}\n`
const refusalOf = async (text: string) =>
  parsePolicy(text).then(
    () => "none",
    ({ message }: Error) => message
  )

describe("a policy", () => {
  it("names logs, witnesses with their addresses, groups and a quorum, among comments and spaces", async () => {
    const policy = await parsePolicy(
      `# whom we trust\n \t\n${policyWith("\tgroup  both all one two ", " quorum both")}`
    )
    expect(policy.logs).toEqual([log.verifierKey])
    expect([...policy.witnesses.values()].map(({ name, url }) => [name, url])).toEqual([
      ["one", null],
      ["two", "https://w.example/2"],
      ["three", null]
    ])
    expect([policy.quorum, policy.groups.get("both")]).toEqual(["both", { least: 2, members: ["one", "two"] }])
    await parsePolicy("quorum none")
  })

  it.each([
    ["a line with another word", "logs x", /^line 5: write log, witness, group, quorum or #$/],
    ["a line with too few words", "group all one", /^line 5: write group NAME all\|any\|NUMBER NAME\.\.\.$/],
    ["a line with too many words", "quorum one two", /^line 5: write quorum NAME$/],
    ["a carriage return", "quorum one\r", /^line 5: it has a control character$/],
    ["a key that is none", "log w.example+00000000+AAAA", /^line 5: it is not a verifier key of Ed25519, type 0x01$/],
    ["a log with the key of a witness", `log ${one.verifierKey}`, /^line 5: .*type 0x01$/],
    ["a witness with the key of a log", `witness four ${log.verifierKey}`, /^line 5: .*type 0x04$/],
    ["a witness of ML-DSA-44", `witness four ${keyOf("w.example/4", 6).verifierKey}`, /^line 5: .*type 0x04$/],
    ["the same log twice", `log ${log.verifierKey}`, /^line 5: the key stands on an earlier line$/],
    ["the same witness twice", `witness four ${one.verifierKey}`, /^line 5: the key stands on an earlier line$/],
    ["a name that is taken", `witness one ${keyOf("w.example/4", 4).verifierKey}`, /^line 5: the name one is taken$/],
    ["a group named none", "group none any one", /^line 5: the name none is taken$/],
    ["a member that comes later", "group g any four", /^line 5: no earlier line defines four$/],
    ["none as a member", "group g any none", /^line 5: no earlier line defines none$/],
    ["a member twice in a group", "group g any one one", /^line 5: one is in a group already$/],
    ["a member of two groups", "group g any one\ngroup h any one", /^line 6: one is in a group already$/],
    ["a threshold of 0", "group g 0 one", /^line 5: write all, any or a number from 1 to 1$/],
    ["a threshold above the members", "group g 3 one two", /^line 5: .*from 1 to 2$/],
    ["a threshold with a leading zero", "group g 02 one two", /^line 5: .*from 1 to 2$/],
    ["a quorum that nothing defines", "quorum four", /^line 5: no earlier line defines four$/],
    ["two quorums", "quorum one\nquorum two", /^line 6: there is a quorum already$/],
    ["no quorum", "group g any one", /^it has no quorum line$/]
  ])("is refused for %s, with the line", async (_, lines, message) => {
    expect(await refusalOf(policyWith(lines))).toMatch(message)
  })

  it("is refused with more than 32 witnesses, and as a text that is too long", async () => {
    const many = Array.from({ length: 33 }, (_, at) => `witness w${at} ${keyOf(`w.example/${at}`, 4).verifierKey}`)
    expect(await refusalOf([...many, "quorum none"].join("\n"))).toBe("line 33: there are more than 32")
    expect(await refusalOf("#".repeat(70_000))).toBe("it is longer than 65536 characters")
  })
})

describe("the witnesses of a checkpoint", () => {
  const sawBy = async (note: string, ...lines: ReadonlyArray<string>) => {
    const { missing, seen } = await witnessedBy(note, await parsePolicy(policyWith(...lines)))
    return { missing, seen: seen.map(({ at, name }) => `${name} ${at.getTime() / 1000}`) }
  }
  const cosigned = NOTE + two.cosign(TEXT) + one.cosign(TEXT, AT + 5) + keyOf("w.example/3", 4).cosign(TEXT)

  it("are named with their times, and so are those that a quorum lacks", async () => {
    const seen = [`one ${AT + 5}`, `two ${AT}`]
    expect(await sawBy(cosigned, "quorum none")).toEqual({ missing: [], seen })
    expect(await sawBy(cosigned, "quorum one")).toEqual({ missing: [], seen })
    expect(await sawBy(cosigned, "quorum three")).toEqual({ missing: ["three"], seen })
    expect(await sawBy(cosigned, "group g 2 one two three", "quorum g")).toEqual({ missing: [], seen })
    expect(await sawBy(cosigned, "group g all one two three", "quorum g")).toEqual({ missing: ["three"], seen })
    const nested = ["group a any one three", "group b all two", "group c all a b", "quorum c"]
    expect(await sawBy(cosigned, ...nested)).toEqual({ missing: [], seen })
    expect(await sawBy(NOTE, ...nested)).toEqual({ missing: ["one", "three", "two"], seen: [] })
  })

  it("count once, by their first time", async () => {
    const twice = cosigned + one.cosign(TEXT, AT - 5)
    expect((await sawBy(twice, "group g 3 one two three", "quorum g")).missing).toEqual(["three"])
    expect((await sawBy(twice, "quorum one")).seen[0]).toBe(`one ${AT - 5}`)
  })

  it("are refused over another text, with a changed time, without one, and on the log of another policy", async () => {
    const policy = await parsePolicy(policyWith("quorum one"))
    const isWrong = (note: string) => expect(witnessedBy(note, policy)).rejects.toThrow()
    await isWrong(NOTE + one.cosign(TEXT.replace("\n3\n", "\n4\n")))
    await isWrong(NOTE + one.cosign(TEXT, 0))
    const [, name, base64] = one.cosign(TEXT).trim().split(" ")
    for (let at = 4; at < 12 + 64; at += 9) {
      const bytes = Buffer.from(base64!, "base64")
      bytes[at]! ^= 1
      await isWrong(`${NOTE}— ${name} ${bytes.toString("base64")}\n`)
    }
    const other = await makeSigner(ORIGIN, new Uint8Array(32).fill(8))
    const foreign = (await signNote(TEXT, [other])) + one.cosign(TEXT)
    await expect(witnessedBy(foreign, policy)).rejects.toThrow("no trusted key")
  })

  it("sign here as they sign elsewhere", async () => {
    const witness = await makeCosigner("w.example/own", new Uint8Array(32).fill(9))
    const seen = await cosignatureOf(NOTE + (await witness.cosign(TEXT, AT)), witness.verifierKey)
    expect(seen?.at).toEqual(new Date(AT * 1000))
  })
})
