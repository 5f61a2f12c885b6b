/**
 * Witnesses of a service that is killed, while one of them is offline and another one lies. A
 * forked log with the same key is refused by every witness, and found by `repay verify`.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { noteOf } from "../../src/proof/checkpoint.ts"
import { parsePolicy, witnessedBy } from "../../src/proof/policy.ts"
import { makeSigner, originOf } from "../../src/services/log/keys.ts"
import { useDataFolder } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { filesOf, repay } from "../support/repay.ts"
import { projection } from "../support/requests.ts"
import { scrape } from "../support/scrape.ts"
import { type ServiceProcess, startServiceProcess } from "../support/serviceProcess.ts"
import { TEST_SIGNING_KEY } from "../support/settings.ts"
import { pause, until } from "../support/until.ts"
import { LIES, startHonestWitness, startWitness } from "../support/witness.ts"
import { milliseconds, report, times } from "./scale.ts"

/** 20 kills and 30 rounds offline with FAULT_SCALE=10. */
const KILLS = times(2)
const OFFLINE_ROUNDS = times(3)
const LONGEST_LIFE_MILLIS = 2000
const PUBLIC_URL = "http://witnessed.example.test"
const CONFLICT = "this log was restored from a backup, or forked"

const { dataDir } = useDataFolder()
const { file, folder } = filesOf("witnesses")
const log = await makeSigner(originOf(PUBLIC_URL), Buffer.from(TEST_SIGNING_KEY, "hex"))
const liar = await startWitness("liar.example/1", 7)
const witnesses = await Promise.all([1, 2, 3].map((seed) => startHonestWitness(`w${seed}`, seed)))
const policy = (least: number) =>
  [`log ${log.verifierKey}`, ...witnesses.map(({ line }) => line), `group all ${least} w1 w2 w3`, "quorum all\n"].join(
    "\n"
  )
let metricsPort: number
let service: ServiceProcess

const startNode = async (folderOfData = dataDir, metrics = metricsPort) =>
  startServiceProcess({
    DATA_DIR: folderOfData,
    PUBLIC_URL,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY,
    LOG_WITNESSES_TEXT: `${policy(2)}witness liar ${liar.verifierKey} ${liar.url}\n`,
    LOG_WITNESS_SECONDS: "1",
    METRICS_PORT: String(metrics)
  })

beforeAll(async () => {
  metricsPort = await freePort()
  service = await startNode()
})
afterAll(async () => {
  for (const { stop } of [liar, ...witnesses]) stop()
  await service.kill("SIGTERM")
})

const answer = async (node = service): Promise<string> => {
  const response = await node.call("POST", "/v1/projection", { key: await node.mint(), json: projection })
  expect(response.status).toBe(200)
  return ((await response.json()) as { provenance: { answerId: string } }).provenance.answerId
}
const sample = async (name: string, metrics = metricsPort) => (await scrape(metrics)).samples.get(name) ?? 0
const rounds = () => sample("log_witness_rounds_total")
const failuresOf = (name: string) => sample(`log_witness_failures_total{witness="${name}"}`)
const waitRounds = async (count: number) => {
  const before = await rounds()
  await until(async () => (await rounds()) >= before + count, 60)
}
const receiptOf = async (answerId: string, node = service) => {
  const response = await node.call("GET", `/v1/verify/${answerId}/receipt`)
  return response.status === 200 ? response.text() : undefined
}
const seenIn = async (receipt: string) =>
  (await witnessedBy(noteOf(receipt), await parsePolicy(policy(1)))).seen.map(({ name }) => name)
const verify = (answerId: string, receipt: string, least: number) =>
  repay(["verify", answerId, "--receipt", file(`${answerId}.txt`, receipt), "--policy", file("policy", policy(least))])

/** Records an answer, waits for three rounds, and returns its receipt, which two witnesses must have seen. */
const recordAndWait = async () => {
  const answerId = await answer()
  await waitRounds(3)
  const receipt = await receiptOf(answerId)
  expect((await seenIn(receipt!)).length).toBeGreaterThanOrEqual(2)
  return { answerId, receipt: receipt! }
}

describe(`a service with three witnesses that is killed ${KILLS} times`, () => {
  it(
    "has two cosignatures on every receipt that is asked for three rounds after its record",
    async () => {
      let made = 0
      for (let kill = 0; kill <= KILLS; kill++) {
        const { answerId, receipt } = await recordAndWait()
        made++
        expect(await verify(answerId, receipt, 2)).toMatchObject({ code: 0, stderr: "" })
        if (kill === KILLS) break
        const callers = [answer(), answer()].map((one) => one.catch(() => undefined))
        await pause(Math.random() * LONGEST_LIFE_MILLIS)
        await service.kill("SIGKILL")
        await Promise.all(callers)
        service = await startNode()
      }
      report(`kills ${KILLS}: ${made} receipts with two cosignatures or more`)
    },
    milliseconds(90_000)
  )
})

describe(`one witness that is offline for ${OFFLINE_ROUNDS} rounds, and one that lies`, () => {
  it(
    "break and delay nothing: two of three have seen each record, and the third is named as missing",
    async () => {
      await until(async () => (await failuresOf("w3")) === 0)
      witnesses[2]!.stop()
      const begun = await rounds()
      const lies = [...LIES]
      do {
        const lie = lies.shift() ?? null
        const before = await failuresOf("liar")
        liar.behave(lie)
        const { answerId, receipt } = await recordAndWait()
        expect(await seenIn(receipt)).toEqual(["w1", "w2"])
        expect(await verify(answerId, receipt, 2)).toMatchObject({ code: 0, stderr: "" })
        const lacking = await verify(answerId, receipt, 3)
        expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining("lacks w3.")])
        if (lie !== null)
          await until(
            async () => (await failuresOf("liar")) > before,
            60,
            () => lie
          )
        liar.behave(null)
        const asked = liar.bodies.length
        await until(async () => {
          if (liar.bodies.length > asked) return true
          await answer()
          return false
        }, 60)
      } while (lies.length > 0 || (await rounds()) - begun < OFFLINE_ROUNDS)
      report(`offline for ${(await rounds()) - begun} rounds, lies ${LIES.length}`)
      // Twice, if the log grew past the size that the liar named while it still lied.
      const conflicts = await sample('log_witness_conflicts_total{witness="liar"}')
      expect([1, 2]).toContain(conflicts)
      expect(service.log().split(CONFLICT)).toHaveLength(1 + conflicts)

      await witnesses[2]!.listen()
      await until(async () => {
        const answerId = await answer()
        await waitRounds(2)
        const receipt = await receiptOf(answerId)
        return receipt !== undefined && (await verify(answerId, receipt, 3)).code === 0
      }, 120)
    },
    milliseconds(300_000)
  )
})

describe("a forked log: a copy of the database with another record, and the same key", () => {
  it(
    "is refused by every witness, and found by verify",
    async () => {
      await service.kill("SIGTERM")
      const copy = join(folder, "copy")
      execFileSync("cp", ["-a", dataDir, copy])
      service = await startNode()
      await recordAndWait()
      await service.kill("SIGTERM")

      const metrics = await freePort()
      const forked = await startNode(copy, metrics)
      const answerId = await answer(forked)
      const conflictsOf = (name: string) => sample(`log_witness_conflicts_total{witness="${name}"}`, metrics)
      await until(async () => (await Promise.all(["w1", "w2", "w3"].map(conflictsOf))).every((count) => count > 0), 60)
      const receipt = (await receiptOf(answerId, forked))!
      expect(await seenIn(receipt)).toEqual([])
      const ended = await verify(answerId, receipt, 2)
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("lacks w1, w2, w3.")])
      expect(forked.log()).toContain(CONFLICT)
      await forked.kill("SIGTERM")
      service = await startNode()
      await recordAndWait()
    },
    milliseconds(120_000)
  )
})
