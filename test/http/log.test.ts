/** The transparency log over HTTP: a key suffices to verify it, and it reveals no record. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { openCheckpoint, openReceipt } from "../../src/proof/checkpoint.ts"
import { parsePolicy, witnessedBy } from "../../src/proof/policy.ts"
import { leafHash } from "../../src/proof/tree.ts"
import { openTiles, tilePath } from "../../src/services/log/tiles.ts"
import { expectProblem } from "../support/answers.ts"
import { addressOf, type Hold, holdTransaction, migratedDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { startService, useService } from "../support/runningService.ts"
import { until } from "../support/until.ts"
import { startWitness } from "../support/witness.ts"

const service = useService()
const get = (path: string) => service().call("GET", path)
const textOf = async (path: string) => (await get(path)).text()
const readiness = (metricsPort: number) => fetch(`http://127.0.0.1:${metricsPort}/ready`)
/** A new log has its key after the first round of its sequencer. */
beforeAll(() => until(async () => (await get("/log/key")).status === 200))
const keysOf = async () => (await textOf("/log/key")).trim().split("\n")

/** Polls for the receipt, which is available about a second after the answer. */
const receiptOf = async (answerId: string): Promise<string> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await get(`/v1/verify/${answerId}/receipt`)
    if (response.status === 200) return response.text()
    await expectProblem(response, 503, "not-yet-logged")
    expect(response.headers.get("retry-after")).toBe("1")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("the record does not enter the log")
}

const answer = async (): Promise<string> => {
  const response = await service().call("POST", "/v1/projection", { key: await service().mint(), json: projection })
  return ((await response.json()) as { provenance: { answerId: string } }).provenance.answerId
}

it("the log issues a receipt that proves the record of an answer", async () => {
  const answerId = await answer()
  const receipt = await receiptOf(answerId)
  const { checkpoint, record } = await openReceipt(receipt, await keysOf())
  const { recorded, ...shown } = (await (await get(`/v1/verify/${answerId}`)).json()) as Record<string, unknown>
  expect(recorded).toBe(true)
  expect(JSON.parse(record)).toMatchObject(shown)
  expect(checkpoint.origin).toBe(`${service().publicUrl.slice("http://".length)}/log`)
})

it("the log serves checkpoint, tiles and bundles as tlog-tiles specifies", async () => {
  await receiptOf(await answer())
  const response = await get("/log/checkpoint")
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8")
  expect(response.headers.get("cache-control")).toBe("public, max-age=1")
  const tree = await openCheckpoint(await response.text(), await keysOf())
  const hashAt = await openTiles(tree, async (tile) => {
    const served = await get(`/log/${tilePath(tile)}`)
    expect(served.headers.get("content-type")).toBe("application/octet-stream")
    expect(served.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    return new Uint8Array(await served.arrayBuffer())
  })
  const bundle = await get(`/log/${tilePath({ level: "entries", n: 0, width: tree.size })}`)
  const entries = Buffer.from(await bundle.arrayBuffer())
  expect(entries.length).toBe(34 * tree.size)
  for (let index = 0; index < tree.size; index++) {
    const entry = entries.subarray(34 * index + 2, 34 * index + 34)
    expect(await leafHash(entry)).toEqual(await hashAt(0, index))
  }
})

it("a tile carries no request id, because caches share it [F42]", async () => {
  await receiptOf(await answer())
  const headers = { "x-request-id": "of-one-caller" }
  const tile = await service().call("GET", "/log/tile/entries/000.p/1", { headers })
  expect(tile.status).toBe(200)
  expect(tile.headers.get("x-request-id")).toBeNull()
  expect(tile.headers.get("etag")).toMatch(/^"[\w-]{43}"$/)
  const missing = await service().call("GET", "/log/tile/0/001.p/1", { headers })
  expect(missing.headers.get("x-request-id")).toBe("of-one-caller")
})

it("tiles beyond the tree, other paths of a tile and receipts of unknown answers are not found", async () => {
  for (const path of [
    "tile/0/000",
    "tile/0/001.p/1",
    "tile/1/000.p/1",
    "tile/entries/000",
    "tile/0/000.p/0",
    "tile/0/%30"
  ]) {
    await expectProblem(await get(`/log/${path}`), 404, "not-found")
  }
  await expectProblem(await get("/log/"), 404, "not-found")
  await expectProblem(await get(`/v1/verify/${randomUUID()}/receipt`), 404, "answer-not-found")
  await expectProblem(await service().call("POST", "/log/tile/0/000"), 405, "method-not-allowed")
})

it("a service without witnesses says so, and has no witnessed checkpoint", async () => {
  expect(await textOf("/log/policy")).toBe("quorum none\n")
  await expectProblem(await get("/log/checkpoint/witnessed"), 404, "not-found")
})

it("a service with witnesses serves its policy, and the checkpoint that its quorum has seen", async () => {
  const witness = await startWitness("w.example/1", 1)
  const LOG_WITNESSES_TEXT = `witness one ${witness.verifierKey} ${witness.url}\nquorum one`
  const witnessed = await startService({ LOG_WITNESSES_TEXT, LOG_WITNESS_SECONDS: "1" })
  try {
    expect(await (await witnessed.call("GET", "/log/policy")).text()).toBe(`${LOG_WITNESSES_TEXT}\n`)
    let response = await witnessed.call("GET", "/log/checkpoint/witnessed")
    await until(async () => {
      response = await witnessed.call("GET", "/log/checkpoint/witnessed")
      return response.status === 200
    })
    expect(response.headers.get("cache-control")).toBe("public, max-age=1")
    const { missing } = await witnessedBy(await response.text(), await parsePolicy(LOG_WITNESSES_TEXT))
    expect(missing).toEqual([])
  } finally {
    await witnessed.stop()
    witness.stop()
  }
})

it("the log limits the requests of an address", async () => {
  const metricsPort = await freePort()
  const limited = await startService({
    METRICS_PORT: String(metricsPort),
    RATE_LIMIT_LOG: "3/h"
  })
  try {
    await until(async () => (await readiness(metricsPort)).status === 200)
    for (const path of ["/log/key", "/log/key"]) expect((await limited.call("GET", path)).status).toBe(200)
    const receipt = `/v1/verify/${randomUUID()}/receipt`
    await expectProblem(await limited.call("GET", receipt), 404, "answer-not-found")
    for (const path of ["/log/key", "/log/checkpoint", "/log/tile/0/000", receipt]) {
      await expectProblem(await limited.call("GET", path), 429, "rate-limited")
    }
  } finally {
    await limited.stop()
  }
})

it("nothing is served of a log that has no key yet, and the service is not ready", async () => {
  let held: Hold
  const locked = Effect.tap(migratedDatabase, (url) =>
    Effect.promise(async () => {
      held = await holdTransaction(addressOf(url), "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)")
    })
  )
  const metricsPort = await freePort()
  const starting = await startService({ METRICS_PORT: String(metricsPort) }, locked)
  const ready = () => readiness(metricsPort)
  try {
    const sent = await starting.call("POST", "/v1/projection", { key: await starting.mint(), json: projection })
    const { answerId } = (await sent.json()).provenance
    const receipt = `/v1/verify/${answerId}/receipt`
    for (const path of ["/log/key", "/log/checkpoint", receipt, `/v1/verify/${randomUUID()}/receipt`]) {
      for (const method of ["GET", "HEAD"]) {
        const response = await starting.call(method, path)
        expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
        expect(response.headers.get("cache-control")).toBe("no-store")
        if (method === "GET") await expectProblem(response, 503, "starting")
      }
    }
    for (const path of ["/log/checkpoint/witnessed", "/log/tile/0/000.p/1"]) {
      const response = await starting.call("GET", path)
      expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"])
    }
    const notReady = await ready()
    expect([notReady.status, await notReady.json()]).toEqual([503, { status: "the log has no key yet" }])
    await held!.release()
    await until(async () => (await ready()).status === 200)
    expect(await (await starting.call("GET", "/log/key")).text()).toMatch(/^\S+\n$/)
    await until(async () => (await starting.call("GET", receipt)).status === 200)
  } finally {
    await held!.release()
    await starting.stop()
  }
})
