/** `repay portfolio run --record`, which records each answer once and adds its id to the rows. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { borrowerOf, linesOfBorrowers } from "../../support/borrowers.ts"
import { freePort } from "../../support/freePort.ts"
import { SHORT_DEADLINES } from "../../support/hurried.ts"
import { filesOf, linesOf, repay } from "../../support/repay.ts"
import { startService, useService } from "../../support/runningService.ts"
import { until } from "../../support/until.ts"
import * as recorded from "./recorded.ts"

const { file, folder } = filesOf("record")
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

const MONTHLY_CALLS = 40
const service = useService({ SANDBOX_MONTHLY_CALLS: String(MONTHLY_CALLS) })

const RUN = ["portfolio", "run", "--threads", "1"]
const args = (input: string, out: string, plans: string) => [...RUN, input, "--plans", plans, "--out", out]
const at = (url: string, key: string) => ({ REPAY_URL: url, REPAY_API_KEY: key })
const record = (input: string, out: string, key: string, plans = "RAP,standard,extended", url = service().base) =>
  repay([...args(input, out, plans), "--record"], { folder, env: at(url, key), clock: SHORT_DEADLINES })

const rowsOf = (name: string) => recorded.rowsOf(join(folder, name))
const answersOf = (name: string) => recorded.answersOf(join(folder, name))
const idsOf = (name: string) => recorded.idsOf(join(folder, name))
const withoutIds = (name: string) => rowsOf(name).map(({ answerId: _answerId, ...row }) => row)

describe("repay portfolio run --record", () => {
  it("records one answer per borrower, for all plans with figures", async () => {
    const key = await service().mint()
    const some = file("some.ndjson", linesOfBorrowers(30, 1))
    const { code, stdout } = await record(some, "some.csv", key)
    expect({ code, recorded: JSON.parse(stdout).recorded }).toEqual({ code: 0, recorded: 30 })
    expect(await service().used(key)).toBe(30)
    expect((await repay(args(some, "plain.csv", "RAP,standard,extended"), { folder })).code).toBe(0)
    expect(withoutIds("some.csv")).toEqual(withoutIds("plain.csv"))
    const rows = rowsOf("some.csv")
    expect(rows.filter(({ outcome }) => outcome === "ineligible").length).toBeGreaterThan(0)
    for (const { answerId, outcome } of rows) expect(answerId === "").toBe(outcome !== "answered")
    expect(idsOf("some.csv").size).toBe(30)
  })

  it("stores the answers, each of which verifies the figures of its rows", async () => {
    const key = await service().mint()
    expect((await record(file("few.ndjson", linesOfBorrowers(4)), "few.csv", key)).code).toBe(0)
    expect(statSync(join(folder, "few.csv.answers.ndjson.zst")).mode & 0o777).toBe(0o600)
    const answers = answersOf("few.csv.answers.ndjson.zst")
    expect(answers.map(({ borrowerId }) => borrowerId).sort()).toEqual(["B0", "B1", "B2", "B3"])
    for (const { answer, borrowerId } of answers) {
      const { answerId } = rowsOf("few.csv").find((row) => row["borrowerId"] === borrowerId)!
      const response = await service().call("POST", `/v1/verify/${answerId}`, { json: answer })
      expect(await response.json()).toMatchObject({ matches: true })
    }
  })

  it("writes the receipts of the answers, each of which proves its answer", async () => {
    const env = at(service().base, await service().mint())
    const input = file("proven.ndjson", linesOfBorrowers(5))
    const { code, stderr } = await repay([...args(input, "proven.csv", "RAP"), "--record"], { folder, env })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("The receipts are in proven.csv.receipts.ndjson")
    })
    const answers = answersOf("proven.csv.answers.ndjson.zst")
    const receipts = linesOf(text("proven.csv.receipts.ndjson")).map((line) => JSON.parse(line))
    expect(receipts.map(({ borrowerId }) => borrowerId)).toEqual(answers.map(({ borrowerId }) => borrowerId))
    const key = (await (await service().call("GET", "/log/key")).text()).trim()
    for (const [index, { answerId, receipt }] of receipts.entries()) {
      expect(answerId).toBe(
        rowsOf("proven.csv").find((row) => row["borrowerId"] === receipts[index].borrowerId)!["answerId"]
      )
      const claimed = [file("proven.json", answers[index]!.answer), "--receipt", file("proven.txt", receipt)]
      expect(await repay(["verify", ...claimed, "--key", key])).toMatchObject({ code: 0, stderr: "" })
    }
  })

  it("names the receipts that do not come, and a later command completes their file", async () => {
    const proxy = await openProxy((content) => content, 503)
    const input = file("late.ndjson", linesOfBorrowers(5))
    const { code, stderr } = await record(input, "late.csv", await service().mint(), "RAP", proxy.url)
    await proxy.close()
    const ids = linesOf(text("late.csv.receipts.ndjson")).map((line) => JSON.parse(line).answerId)
    expect(code).toBe(0)
    expect(text("late.csv.receipts.ndjson").match(/"receipt":null/g)).toHaveLength(5)
    const [, missing = ""] = /5 receipts could not be fetched yet, for (.*) and 2 more\. /.exec(stderr) ?? []
    for (const id of missing.split(", ")) expect(ids).toContain(id)
    expect(stderr).toContain(`repay receipt --from late.csv.receipts.ndjson --url ${proxy.url}\n`)
    const later = await repay(["receipt", "--from", "late.csv.receipts.ndjson", "--url", service().base], { folder })
    expect(later).toMatchObject({ code: 0, stderr: expect.not.stringContaining("yet") })
    const lines = linesOf(text("late.csv.receipts.ndjson")).map((line) => JSON.parse(line))
    expect(lines.map(({ answerId, receipt }) => [answerId, receipt.slice(0, 8)])).toEqual(
      ids.map((id) => [id, "c2sp.org"])
    )
  })

  it("carries columns of the input to the recorded rows, and sends none of them", async () => {
    const key = await service().mint()
    const input = file("branch.ndjson", `${JSON.stringify({ ...borrowerOf(1), branch: "North, 1" })}\n`)
    const flags = ["--record", "--carry", "state,branch"]
    const env = at(service().base, key)
    const { code } = await repay([...args(input, "branch.csv", "RAP"), ...flags], {
      folder,
      env,
      clock: SHORT_DEADLINES
    })
    expect(code).toBe(0)
    const [head, row] = linesOf(text("branch.csv"))
    expect(head!.endsWith(",answerId,state,branch")).toBe(true)
    expect(row).toMatch(/,[0-9a-f-]{36},TX,"North, 1"$/)
  })

  it("sends dates, growth of prices, changes, pauses and payments with the requests", async () => {
    const key = await service().mint()
    const added = {
      firstBorrowedOn: "2019-09-01",
      annualPriceGrowth: 0.025,
      extraMonthlyPayment: 75,
      changes: [{ fromYear: 3, adjustedGrossIncome: 20_000, dependents: 1, familySize: 5 }],
      familySize: 4,
      pauses: [{ kind: "Forbearance", until: `${new Date().getUTCFullYear() + 2}-05`, loans: [0, 2] }],
      lumpSums: [{ on: `${new Date().getUTCFullYear() + 3}-02`, amount: 400 }],
      discountRate: 0.03
    }
    const borrowers = [0, 1].map((number) => {
      const { loans, ...own } = borrowerOf(number)
      return { ...own, ...added, loans: loans.map((loan) => ({ ...loan, madeOn: `202${number}-09-01` })) }
    })
    const input = file("added.ndjson", borrowers.map((borrower) => JSON.stringify(borrower)).join("\n"))
    const { code, stderr } = await record(input, "added.csv", key, "RAP,standard,ibr-new")
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("differs") })
    expect(rowsOf("added.csv").map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "answered"))
    expect(idsOf("added.csv").size).toBe(2)
    for (const { presentValue, totalCost } of rowsOf("added.csv"))
      expect(Number(presentValue) > 0 && Number(presentValue) < Number(totalCost)).toBe(true)
  })

  it("requests a projection for one plan with figures, and nothing for none", async () => {
    const key = await service().mint()
    const input = file("one.ndjson", linesOfBorrowers(3, 1))
    expect((await record(input, "one.parquet", key, "standard")).code).toBe(0)
    expect(answersOf("one.parquet.answers.ndjson.zst")[0]?.answer).toHaveProperty("planType", "STANDARD")
    const small = await record(input, "none.ndjson", key, "extended")
    expect(JSON.parse(small.stdout)).toMatchObject({ recorded: 0, summary: { borrowers: 3 } })
    expect(await service().used(key)).toBe(3)
  })
})

/**
 * Alters an answer on its way back: another text, another response, or null to drop the connection.
 */
type Alteration = (
  content: string,
  call: number
) => string | { readonly status: number; readonly content: string } | null

/**
 * A proxy that forwards calls to the service and alters the answers.
 * @param failing status of everything else, such as receipts, in place of the service's own
 */
const openProxy = async (alter: Alteration, failing?: number) => {
  const port = await freePort()
  let calls = 0
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      const got = await service().call("GET", request.url!)
      return response.writeHead(failing ?? got.status).end(await got.text())
    }
    calls++
    const body = await new Response(request as unknown as ReadableStream).text()
    const answer = await service().call(request.method!, request.url!, {
      key: String(request.headers["x-api-key"]),
      headers: { "idempotency-key": String(request.headers["idempotency-key"]) },
      json: JSON.parse(body)
    })
    const back = alter(await answer.text(), calls)
    if (back === null) request.socket.destroy()
    else {
      const { content, status } = typeof back === "string" ? { content: back, status: answer.status } : back
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" }).end(content)
    }
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, calls: () => calls, close }
}

/** A recorded run of a few borrowers through such a proxy. */
const runThroughProxy = async (name: string, borrowers: number, alter: Alteration) => {
  const proxy = await openProxy(alter)
  const input = file(`${name}.ndjson`, linesOfBorrowers(borrowers))
  const key = await service().mint()
  const ended = await record(input, `${name}.csv`, key, "standard", proxy.url)
  await proxy.close()
  expect(existsSync(join(folder, `${name}.csv`))).toBe(ended.code === 0)
  return { ...ended, calls: proxy.calls(), used: await service().used(key) }
}

describe("a faulty service", () => {
  it("is waited for while unreachable", async () => {
    const port = await freePort()
    const input = file("wait.ndjson", linesOfBorrowers(5))
    const running = record(input, "wait.csv", await service().mint(), "RAP", `http://127.0.0.1:${port}`)
    await until(() => existsSync(join(folder, "wait.csv.journal")))
    const late = await startService({ PORT: String(port) })
    const { code, stderr } = await running
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/Recording at .* stopped\. .*key/i) })
    const key = await late.mint()
    expect((await record(input, "wait.csv", key, "RAP", `http://127.0.0.1:${port}`)).code).toBe(0)
    expect(idsOf("wait.csv").size).toBe(5)
    await late.stop()
  })

  it("stops the run at the monthly quota, and another key resumes it", async () => {
    const key = await service().mint()
    const input = file("quota.ndjson", linesOfBorrowers(MONTHLY_CALLS + 20, 1))
    const { code, stderr } = await record(input, "quota.csv", key, "standard")
    expect(code).toBe(3)
    expect(stderr).toContain(`of ${MONTHLY_CALLS} calls`)
    expect(stderr).toContain("the same command continues where this one stopped")
    const other = await service().mint()
    const journal = text("quota.csv.journal")
    expect(statSync(join(folder, "quota.csv.journal")).mode & 0o777).toBe(0o600)
    expect(linesOf(journal)).toHaveLength(1 + MONTHLY_CALLS)
    const changed = await record(input, "quota.csv", other, "standard,RAP")
    expect({ code: changed.code, stderr: changed.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("quota.csv.journal has recorded answers of a run with different options: plans.")
    })
    writeFileSync(input, linesOfBorrowers(MONTHLY_CALLS + 20, 2))
    expect((await record(input, "quota.csv", other, "standard")).stderr).toContain("different options: input.")
    expect(text("quota.csv.journal")).toBe(journal)
    writeFileSync(input, linesOfBorrowers(MONTHLY_CALLS + 20, 1))
    expect((await record(input, "quota.csv", other, "standard")).code).toBe(0)
    expect(existsSync(join(folder, "quota.csv.journal"))).toBe(false)
    expect(await service().used(other)).toBe(20)
    expect(idsOf("quota.csv").size).toBe(MONTHLY_CALLS + 20)
  })

  it("stops the run if a figure differs from the one computed here", async () => {
    const change = (content: string) => content.replace(/"totalOutOfPocket":\d/, '"totalOutOfPocket":9')
    const { code, stderr } = await runThroughProxy("lie", 1, change)
    expect(code).toBe(3)
    expect(stderr).toMatch(/answer for borrower B0 under STANDARD differs: its totalOutOfPocket is 9\S+, but \S+ here/)
  })

  it.each<[string, (id: string) => string]>([
    ["no-id", () => "null"],
    ["loud-id", (id) => id.toUpperCase()],
    ["half-id", () => '"a,b"'],
    ["one-id", () => '"11111111-1111-4111-8111-111111111111"']
  ])("stops the run if an answer has no id of its own: %s", async (name, idOf) => {
    const change = (content: string) =>
      content.replace(/"answerId":("[^"]*")/, (_, id: string) => `"answerId":${idOf(id)}`)
    const stderr = expect.stringContaining("whose id is missing, invalid or already used")
    expect(await runThroughProxy(name, 3, change)).toMatchObject({ code: 3, stderr })
  })

  it("stops the run if an answer has another shape", async () => {
    const change = (content: string) => content.replace('"provenance":{', '"provenance":null,"was":{')
    const stderr = expect.stringContaining("something that is not an answer")
    expect(await runThroughProxy("shape", 1, change)).toMatchObject({ code: 3, stderr })
  })

  it("is called only once if it returns something else with 200", async () => {
    const ended = await runThroughProxy("html", 1, () => ({ status: 200, content: "<html>" }))
    expect(ended).toMatchObject({ calls: 1, code: 3, stderr: expect.stringMatching(/Recording at .* stopped/) })
  })

  it("is not charged again for an answer that was lost before a kill", async () => {
    const proxy = await openProxy((content, call) => (call === 1 ? { status: 200, content: "<html>" } : content))
    const input = file("killed.ndjson", linesOfBorrowers(1))
    const key = await service().mint()
    expect((await record(input, "killed.csv", key, "standard", proxy.url)).code).toBe(3)
    expect((await record(input, "killed.csv", key, "standard", proxy.url)).code).toBe(0)
    await proxy.close()
    expect(await service().used(key)).toBe(1)
    expect(idsOf("killed.csv").size).toBe(1)
  })

  it("stops the run if it repeats an answer from an earlier start", async () => {
    const twins = ["B0", "B1"].map((borrowerId) => JSON.stringify({ ...borrowerOf(0), borrowerId }))
    const content: Array<string> = []
    const proxy = await openProxy((answer) => {
      content.push(answer)
      return content.length === 1 ? answer : content.length === 2 ? { status: 200, content: "<html>" } : content[0]!
    })
    const input = file("known.ndjson", twins.join("\n"))
    const key = await service().mint()
    const again = () => record(input, "known.csv", key, "standard", proxy.url)
    expect((await again()).code).toBe(3)
    const { code, stderr } = await again()
    await proxy.close()
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("already used") })
  })

  it("stops the run before a call if its journal is damaged, and leaves the journal alone", async () => {
    const journal = file("damaged.csv.journal", '{"run":\n{"borrowerId":"B0"}\n')
    const input = file("damaged.ndjson", linesOfBorrowers(1))
    const { code, stderr } = await record(input, "damaged.csv", "unused", "standard", "http://127.0.0.1:1")
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("damaged.csv.journal is damaged") })
    expect(linesOf(readFileSync(journal, "utf8"))).toHaveLength(2)
  })

  const ledgerUnavailable = JSON.stringify({
    type: "https://x/problems/ledger-unavailable",
    title: "The ledger cannot be reached.",
    status: 503,
    detail: "It is withheld.",
    retryAfterSeconds: 2
  })

  it.each([
    ["lost", null],
    ["proxy", { status: 503, content: "<html>" }],
    ["ledger", { status: 503, content: ledgerUnavailable }]
  ])("is called until an answer comes through, and records one: %s", async (name, back) => {
    const { calls, code, used } = await runThroughProxy(name, 1, (content, call) => (call <= 4 ? back : content))
    expect({ calls, code, used }).toEqual({ calls: 5, code: 0, used: 1 })
  })

  it.each([
    [{}, ["--record"], "set REPAY_URL to the address"],
    [{ REPAY_URL: "http://127.0.0.1:1" }, ["--record"], "REPAY_API_KEY: is not set"],
    [at("http://127.0.0.1:1", "k"), ["--record", "--start", "2027-01"], "cannot be used with --record"],
    [at("http://127.0.0.1:1/?a=b", "k"), ["--record"], "--record: baseUrl must begin with http"],
    [at("http://127.0.0.1:1", "k\nk"), ["--record"], "--record: apiKey must be a key as it was issued"]
  ])("is reported for wrong settings: %j %j", async (env, flags, content) => {
    const input = file("named.ndjson", linesOfBorrowers(1))
    const { code, stderr } = await repay([...args(input, "named.csv", "RAP"), ...flags], { folder, env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(content) })
  })
})
