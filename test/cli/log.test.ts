/**
 * `repay receipt`, `verify`, `log watch` and `audit`, against a running service and its database.
 */
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { noteOf } from "../../src/proof/checkpoint.ts"
import { textOfNote } from "../../src/proof/note.ts"
import { query, useDatabase } from "../support/database.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { projection } from "../support/requests.ts"
import { type RunningService, startService } from "../support/runningService.ts"
import { TEST_PEPPER, TEST_SERVER, TEST_SIGNING_KEY } from "../support/settings.ts"
import { until } from "../support/until.ts"
import { makeCosigner } from "../support/witness.ts"

const database = useDatabase()
const { file, folder } = filesOf("log")
const environment = () => ({ ...TEST_SERVER, DATABASE_URL: database().address, SECRET_PEPPER: TEST_PEPPER })
let service: RunningService
let answer: { readonly provenance: { readonly answerId: string; readonly ruleVersion: string } }
let key: string
const receipt = join(folder, "receipt.txt")

beforeAll(async () => {
  service = await startService({}, Effect.succeed(database().url))
  const response = await service.call("POST", "/v1/projection", { key: await service.mint(), json: projection })
  answer = (await response.json()) as typeof answer
  await until(
    async () => (await service.call("GET", `/v1/verify/${answer.provenance.answerId}/receipt`)).status === 200
  )
  key = (await (await service.call("GET", "/log/key")).text()).trim()
})
afterAll(() => service.stop())

/** Starts a server in place of the service for a test; returns its address. */
const impostor = async (bodyOf: (path: string) => string): Promise<string> => {
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "application/json")
    response.end(bodyOf(url!))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const other = "00000000-0000-4000-8000-00000000000b"

describe("repay receipt and repay verify --receipt", () => {
  it("keep the same receipt from the service and the database, and prove the answer offline", async () => {
    const { answerId } = answer.provenance
    const remote = await repay(["receipt", answerId, "--url", service.base, "--out", receipt])
    expect([remote.code, remote.stdout]).toEqual([0, ""])
    const local = await repay(["receipt", answerId, "--out", `${receipt}.2`], { env: environment() })
    expect(local.code).toBe(0)
    expect(readFileSync(`${receipt}.2`, "utf8")).toBe(readFileSync(receipt, "utf8"))
    for (const claimed of [answerId, file("answer.json", answer)]) {
      const ended = await repay(["verify", claimed, "--receipt", receipt, "--key", key])
      expect([ended.code, ended.stderr]).toEqual([0, ""])
      expect(JSON.parse(ended.stdout)).toMatchObject({ answerId, index: 0, size: 1, record: { answerId } })
      expect(JSON.parse(ended.stdout).proven[0]).toMatch(/ is signed by a key that you trust$/)
    }
    const printed = await repay(["verify", answerId, "--receipt", receipt, "--url", service.base, "--table"])
    const { host } = new URL(service.base)
    expect(linesOf(printed.stdout)[0]).toMatch(`signed by a key that ${host} names now; use --key to decide yourself`)
    expect(linesOf(printed.stdout)[1]).toBe("proven      the record is entry 0 of the 1 that it covers")
    expect(linesOf(printed.stdout).at(-1)).toBe(
      "not proven  the figures: to check them, give the answer itself instead of its id"
    )
  })

  it("replace a file only when told to, and the file that a link leads to never", async () => {
    const { answerId } = answer.provenance
    const fetched = (out: string, ...more: ReadonlyArray<string>) =>
      repay(["receipt", answerId, "--url", service.base, "--out", out, ...more])
    const kept = file("kept.txt", "kept")
    const link = join(folder, "link.txt")
    symlinkSync(kept, link)
    for (const out of [kept, link])
      expect(await fetched(out)).toMatchObject({
        code: 2,
        stderr: `${out}: exists already; name another file, or add --overwrite\n`
      })
    expect((await fetched(link, "--overwrite")).code).toBe(0)
    expect(readFileSync(link, "utf8")).toBe(readFileSync(receipt, "utf8"))
    expect(readFileSync(kept, "utf8")).toBe("kept")
  })

  it("keep nothing that is no receipt of the answer", async () => {
    const { answerId } = answer.provenance
    const text = readFileSync(receipt, "utf8")
    const sent = async (body: string, id: string) => {
      const url = await impostor((path) => (path === "/log/key" ? `${key}\n` : body))
      const out = join(folder, "none.txt")
      const { code, stderr } = await repay(["receipt", id, "--url", url, "--out", out])
      expect([code, existsSync(out)]).toEqual([3, false])
      return stderr
    }
    expect(await sent("<!doctype html><p>Sign in</p>", answerId)).toMatch(/answer: it is not a receipt\n/)
    expect(await sent(text, other)).toMatch(`it is the receipt of another answer, ${answerId}`)
    expect(await sent(text.replace("index 0", "index 1"), answerId)).toMatch(/no entry 1/)
  })

  it("keep the receipts of several answers as lines of one file, and complete a file", async () => {
    const { answerId } = answer.provenance
    const one = readFileSync(receipt, "utf8")
    const out = join(folder, "several.ndjson")
    const lines = (path: string) => linesOf(readFileSync(path, "utf8")).map((line) => JSON.parse(line))
    const from = file("some.receipts.ndjson", `{"borrowerId":"B1","answerId":"${answerId}","receipt":null}\n`)
    for (const how of [["--url", service.base], []]) {
      const several = await repay(["receipt", answerId, other, ...how, "--out", out, "--overwrite"], {
        env: environment()
      })
      expect([several.code, linesOf(several.stderr)[1]]).toEqual([1, `No answer is recorded under ${other}.`])
      expect(lines(out)).toEqual([
        { answerId, receipt: one },
        { answerId: other, receipt: null }
      ])
    }
    const completed = await repay(["receipt", "--from", from, "--url", service.base])
    expect(completed).toMatchObject({ code: 0, stdout: "" })
    expect(lines(from)).toEqual([{ borrowerId: "B1", answerId, receipt: one }])
    const ids = file("ids.txt", `${answerId.toUpperCase()}\r\n\n${answerId}\n`)
    expect((await repay(["receipt", "--from", ids, "--url", service.base])).code).toBe(0)
    expect(lines(`${ids}.receipts.ndjson`)).toHaveLength(2)
  })

  it("fetch no receipts into a file that exists, of no answer, or of a file that is none", async () => {
    const { answerId } = answer.provenance
    const kept = file("kept.ndjson", "kept")
    const bad = file("bad.txt", `${answerId}\nanswer 2\n`)
    for (const [args, line] of [
      [[answerId, other, "--out", kept], `${kept}: exists already; name another file, or add --overwrite`],
      [[answerId, other], "--out: name a file for the receipts of several answers"],
      [[], "answer-id: use the UUID in provenance.answerId, or --from for a file of them"],
      [[answerId, "--from", bad], "answer-id and --from: use one of them"],
      [["--from", join(folder, "none")], `${join(folder, "none")}: cannot be read`],
      [["--from", bad], `${bad}:2: use the id of an answer, or a line of JSON with its answerId`]
    ] as const) {
      const ended = await repay(["receipt", ...args, "--url", service.base])
      expect([ended.code, ended.stderr]).toEqual([2, `${line}\n`])
    }
    expect(readFileSync(kept, "utf8")).toBe("kept")
    expect(readdirSync(folder).filter((name) => /tmp$|^bad\.txt\./.test(name))).toEqual([])
  })

  it("prove each figure of the answer, and refuse a changed figure", async () => {
    const proof = ["--receipt", receipt, "--key", key]
    const whole = await repay(["verify", file("answer.json", answer), ...proof])
    expect(JSON.parse(whole.stdout)).toMatchObject({ notProven: [] })
    expect(JSON.parse(whole.stdout).proven.at(-1)).toMatch(/each figure and each word/)
    const doctored = file("doctored.json", { ...answer, totalOutOfPocket: 1 })
    for (const how of [proof, ["--url", service.base]]) {
      const ended = await repay(["verify", doctored, ...how])
      expect([ended.code, ended.stdout]).toEqual([1, ""])
      expect(ended.stderr).toMatch(
        /^The answer does not match its record: the answer is not the one that was recorded\./
      )
    }
  })

  it("check an answer against the record of a service or of the database, without a receipt", async () => {
    const { answerId } = answer.provenance
    for (const ended of [
      await repay(["verify", file("answer.json", answer), "--url", service.base]),
      await repay(["verify", file("answer.json", answer)], { env: environment() })
    ]) {
      expect([ended.code, ended.stderr]).toEqual([0, ""])
      expect(JSON.parse(ended.stdout)).toMatchObject({ record: { answerId, recorded: true }, notProven: [] })
    }
    for (const claimed of ["none", 1, [answerId], { toString: 1 }]) {
      const others = file("nowhere.json", { ...answer, provenance: { ...answer.provenance, answerId: claimed } })
      expect(await repay(["verify", others, "--url", service.base])).toEqual({
        code: 2,
        stdout: "",
        stderr: `${others}: has no provenance.answerId; use a recorded answer as it was received\n`
      })
    }
  })

  it("refuse a record of another answer, with another hash, or without a hash", async () => {
    const { answerId } = answer.provenance
    const record = (await (await service.call("GET", `/v1/verify/${answerId}`)).json()) as object
    const shown = async (changes: object, claimed: string) =>
      repay(["verify", claimed, "--url", await impostor(() => JSON.stringify({ ...record, ...changes }))])
    const refused = (code: number, reason: string) => ({ code, stdout: "", stderr: expect.stringContaining(reason) })
    const doctored = file("doctored.json", { ...answer, totalOutOfPocket: 1 })
    expect(await shown({ answerId: other }, answerId)).toEqual(refused(1, `the record of another answer, ${other}`))
    expect(await shown({ answerHash: "a1-0" }, doctored)).toEqual(refused(1, "not the one that was recorded"))
    expect(await shown({ answerHash: null }, doctored)).toEqual(refused(3, "is not this service"))
  })

  it("prove the answer by a receipt and a policy whose line endings became CRLF", async () => {
    const converted = (name: string, text: string) => file(name, text.replaceAll("\n", "\r\n"))
    const changed = converted("crlf.txt", readFileSync(receipt, "utf8"))
    const policy = converted("crlf-policy", `log ${key}\nquorum none\n`)
    const ended = await repay(["verify", answer.provenance.answerId, "--receipt", changed, "--policy", policy])
    expect([ended.code, ended.stderr]).toEqual([0, ""])
  })

  it("name the step that fails", async () => {
    const { answerId } = answer.provenance
    const text = readFileSync(receipt, "utf8")
    const verified = async (claimed: string, changed: string, by = key) => {
      const ended = await repay(["verify", claimed, "--receipt", file("changed.txt", changed), "--key", by])
      expect([ended.code, ended.stdout]).toEqual([1, ""])
      return ended.stderr
    }
    expect(await verified(answerId, text.replace("extra eyJ", "extra eyK"))).toMatch(/the entry is not in the tree/)
    expect(await verified(answerId, text.replace("index 0", "index 1"))).toMatch(/no entry 1/)
    expect(await verified(answerId, text.replace("\n1\n", "\n2\n"))).toMatch(/a signature does not verify/)
    expect(await verified(answerId, text, "other.example/log+00000000+AQ==")).toMatch(/proves nothing/)
    expect(await verified("00000000-0000-4000-8000-000000000000", text)).toMatch(/receipt of another answer/)
    const others = { provenance: { ...answer.provenance, ruleVersion: "rl1-000000000000" } }
    expect(await verified(file("others.json", others), text)).toMatch(/names a different rules version/)
    const keyless = await repay(["verify", answerId, "--receipt", receipt])
    expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining("--key")])
  })
})

describe("repay verify --policy", () => {
  const AT = 1_800_000_000
  it("says which witnesses saw the checkpoint and when, and names those that the quorum lacks", async () => {
    const { answerId } = answer.provenance
    const text = readFileSync(receipt, "utf8")
    const witnesses = await Promise.all(
      [1, 2, 3].map((seed) => makeCosigner(`w.example/${seed}`, new Uint8Array(32).fill(seed)))
    )
    const named = witnesses.map(({ verifierKey }, at) => `witness w${at + 1} ${verifierKey}\n`).join("")
    const policy = (least: number) => file("policy", `log ${key}\n${named}group all ${least} w1 w2 w3\nquorum all\n`)
    const lines = witnesses.slice(0, 2).map(({ cosign }) => cosign(textOfNote(noteOf(text)), AT))
    const cosigned = file("cosigned.txt", text + (await Promise.all(lines)).join(""))
    const verify = (receipt: string, least: number) =>
      repay(["verify", answerId, "--receipt", receipt, "--policy", policy(least)])

    const seenAtUtc = new Date(AT * 1000).toISOString()
    const seen = await verify(cosigned, 2)
    expect([seen.code, seen.stderr]).toEqual([0, ""])
    expect(JSON.parse(seen.stdout)).toMatchObject({
      witnesses: [
        { name: "w1", seenAtUtc },
        { name: "w2", seenAtUtc }
      ],
      proven: expect.arrayContaining([`the witness w2 saw the checkpoint at ${seenAtUtc}`])
    })
    const lacking = await verify(cosigned, 3)
    expect([lacking.code, lacking.stdout]).toEqual([1, ""])
    expect(lacking.stderr).toMatch(/the quorum of the policy lacks w3\.\nthe witness w1 saw/)
    expect((await verify(receipt, 1)).stderr).toMatch(/lacks w1, w2, w3\.\nNo witness/)

    const forged = file("forged.txt", text + (await witnesses[0]!.cosign("another text\n", AT)))
    expect(await verify(forged, 2)).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not verify/) })
    const ignored = await repay(["verify", answerId, "--receipt", forged, "--key", key])
    expect([ignored.code, JSON.parse(ignored.stdout).witnesses]).toEqual([0, undefined])
  })

  it("is refused without a receipt, and with a line that cannot be read", async () => {
    const bad = file("bad", "quorum w1\n")
    expect(await repay(["verify", answer.provenance.answerId, "--policy", bad])).toMatchObject({ code: 2 })
    const ended = await repay(["verify", answer.provenance.answerId, "--receipt", receipt, "--policy", bad])
    expect([ended.code, ended.stderr]).toEqual([2, `${bad}: line 1: no earlier line defines w1.\n`])
  })
})

describe("repay log watch", () => {
  const dir = join(folder, "kept")
  const watch = () => repay(["log", "watch", "--url", service.base, "--out", dir, "--every", "0"])

  it("keeps checkpoints that agree, and fails when one does not", async () => {
    expect((await watch()).code).toBe(0)
    const second = await service.call("POST", "/v1/projection", { key: await service.mint(), json: projection })
    const { answerId } = ((await second.json()) as typeof answer).provenance
    await until(async () => (await service.call("GET", `/v1/verify/${answerId}/receipt`)).status === 200)
    expect((await watch()).code).toBe(0)
    const kept = readdirSync(dir).sort()
    expect(kept.map((name) => name.replace(/^0+/, ""))).toEqual(["1.checkpoint", "2.checkpoint", "key"])

    // Another history, signed by the same key: its records were never made here.
    const other = await startService()
    try {
      for (let times = 0; times < 3; times++) {
        await other.call("POST", "/v1/projection", { key: await other.mint(), json: projection })
      }
      await until(async () => (await (await other.call("GET", "/log/checkpoint")).text()).split("\n")[1] === "3")
      const failed = await repay(["log", "watch", "--url", other.base, "--out", dir, "--every", "0"])
      expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("TWO HISTORIES")])
      expect(existsSync(join(dir, "conflict-3.txt"))).toBe(true)
    } finally {
      await other.stop()
    }
  })

  it("trusts no checkpoint that another key signed", async () => {
    writeFileSync(join(dir, "key"), "service.example.test/log+00000000+AQ==\n")
    expect((await watch()).code).toBe(1)
  })
})

describe("repay audit", () => {
  const audited = (...args: ReadonlyArray<string>) => repay(["audit", ...args], { env: environment() })

  /** Changes records as a superuser can, without the log. */
  const tamper = (...statements: ReadonlyArray<string>) => {
    const all = ["SET LOCAL session_replication_role = replica", ...statements]
    return query({ url: database().url }, `DO $$ BEGIN ${all.join("; ")}; END $$`)
  }
  const LAST = "(SELECT max(seq) FROM answer)"
  const FIRST = "(SELECT min(seq) FROM answer)"

  it.each([
    ["a record that is gone", "REMOVED", 1, [`DELETE FROM answer WHERE seq = ${LAST}`]],
    [
      "two records in each other's place",
      "EDITED",
      0,
      [
        "UPDATE log_entry SET seq = 1000000 WHERE index = 0",
        `UPDATE log_entry SET seq = ${FIRST} WHERE index = 1`,
        `UPDATE log_entry SET seq = ${LAST} WHERE index = 0`
      ]
    ]
  ])("exits with 1 and names %s [F26]", async (_, kind, index, statements) => {
    const tables = ["answer", "log_entry"]
    await tamper(...tables.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table}`), ...statements)
    const ended = await audited()
    const putBack = (table: string) => [
      `TRUNCATE ${table}`,
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`,
      `DROP TABLE kept_${table}`
    ]
    await tamper(...tables.flatMap(putBack))
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(`^${kind}: .*Entry ${index}\\.`)])
  })

  it("finds every record as it was entered, and names the first edited one [F26]", async () => {
    expect(await audited("--table")).toMatchObject({
      code: 0,
      stdout: "2 records checked: each matches its log entry, and the log matches what was signed.\n"
    })
    expect((await audited("--key", "other.example/log+00000000+AQ==")).stderr).toMatch(/^DAMAGED: /)
    await tamper("UPDATE answer SET recorded_at = recorded_at + interval '1 hour'")
    const ended = await audited()
    expect(ended.code).toBe(1)
    expect(ended.stderr).toBe(
      `EDITED: the record differs from what was entered. Entry 0. Record ${answer.provenance.answerId}.\n`
    )
    expect(JSON.parse(ended.stdout)).toMatchObject({ size: 2, finding: { kind: "edited", index: 0 } })
  })

  it("reports when it trusts the database's own keys, and trusts only named keys if there are any", async () => {
    const { LOG_SIGNING_KEY: _, ...rest } = environment() as Record<string, string>
    const unkeyed = await repay(["audit", "--table"], { env: rest })
    expect(unkeyed.stdout).toContain("The keys came from the audited database")
    expect(JSON.parse((await repay(["audit"], { env: rest })).stdout)).toMatchObject({ keys: "database" })
    expect(JSON.parse((await audited()).stdout)).toMatchObject({ keys: "configured" })
    const kept = file("of-today.txt", await (await service.call("GET", "/log/checkpoint")).text())
    const another = await audited("--checkpoint", kept, "--key", "other.example/log+00000000+AQ==")
    expect([another.code, another.stdout]).toEqual([2, ""])
    expect(another.stderr).toMatch(/is not a checkpoint of this log: no trusted key.*--key/s)
    const both = await audited("--checkpoint", kept, "--key", "other.example/log+00000000+AQ==", "--key", key)
    expect(JSON.parse(both.stdout)).toMatchObject({ size: 2, keys: "named" })
  })

  it("trusts only configured keys, whichever key signed in the database", async () => {
    const others = await repay(["audit"], { env: { ...environment(), LOG_SIGNING_KEY: "ab".repeat(32) } })
    expect([others.code, others.stderr]).toEqual([
      1,
      expect.stringMatching(/^DAMAGED: the checkpoint of the log cannot be trusted/)
    ])
    const previous = { LOG_SIGNING_KEY: "ab".repeat(32), LOG_SIGNING_KEY_PREVIOUS: TEST_SIGNING_KEY }
    const rotated = await repay(["audit"], { env: { ...environment(), ...previous } })
    expect(rotated.stderr).toMatch(/^EDITED: /)
  })

  it("detects by a kept checkpoint that the log has gone back [F27]", async () => {
    const kept = file("kept.txt", await (await service.call("GET", "/log/checkpoint")).text())
    await tamper(
      "TRUNCATE answer, log_entry, log_tile, log_key",
      "UPDATE log_head SET origin = NULL, size = 0, cluster = NULL, xid = '0', seq = 0, checkpoint = NULL"
    )
    const ended = await audited("--checkpoint", kept)
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/^RESTORED: the log is empty/)])
  })
})
