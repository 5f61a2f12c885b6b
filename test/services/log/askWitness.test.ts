/** What the service believes of a witness's answer: nothing but a cosignature of what it sent. */
import { createServer } from "node:http"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cosignatureOf } from "../../../src/proof/note.ts"
import { askWitness } from "../../../src/services/log/askWitness.ts"
import { checkpointText, makeSigner, signNote } from "../../../src/services/log/keys.ts"
import { LIES, startWitness, type TestWitness } from "../../support/witness.ts"

const tree = { size: 7, root: new Uint8Array(32).fill(1) }
const HASH = new Uint8Array(32).fill(2)
let witness: TestWitness
let note: string
beforeAll(async () => {
  witness = await startWitness("w.example/1", 1)
  note = await signNote(checkpointText({ origin: "log.example/log", ...tree }), [
    await makeSigner("log.example/log", new Uint8Array(32).fill(9))
  ])
  // The first checkpoint that it saw is an older one.
  await ask(0, note.replace("\n7\n", "\n6\n"))
})
afterAll(() => witness.stop())

const ask = (old: number, sent = note, url = witness.url) => {
  const proofFrom = (from: number) => Effect.succeed(from === 0 || from === tree.size ? [] : [HASH])
  const asked = { ...tree, note: sent, old, proofFrom }
  return Effect.runPromise(askWitness({ name: "one", verifierKey: witness.verifierKey, url }, asked))
}
/** A server that answers one request after another with these statuses, each with its text. */
const behaveInTurn = async (answers: ReadonlyArray<string>) => {
  const rest = [...answers]
  const bodies: Array<string> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    bodies.push(body)
    const [status, text] = rest.shift()!.split(" ")
    response.writeHead(Number(status)).end(text)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, bodies, stop: () => server.close() }
}

describe("a witness", () => {
  it("is sent the size that it knows, a proof from there and the checkpoint, and its line is taken", async () => {
    const outcome = await ask(3)
    expect(witness.bodies.at(-1)).toBe(`old 3\n${Buffer.from(HASH).toString("base64")}\n\n${note}`)
    expect(outcome.kind).toBe("cosigned")
    const { line } = outcome as { line: string }
    expect(await cosignatureOf(`${note}${line}\n`, witness.verifierKey)).not.toBeNull()
  })

  it.each(LIES.filter((lie) => lie !== "no answer at all"))("is not believed for %s", async (lie) => {
    witness.behave(lie)
    const outcome = await ask(0)
    witness.behave(null)
    expect(outcome.kind).toBe(lie === "409 with a larger size" ? "conflict" : "failed")
  })

  it.each([
    [404, "unknown"],
    [403, "unknown"],
    [422, "conflict"],
    [400, "failed"],
    [500, "failed"]
  ])("that answers %i counts as %s", async (status, kind) => {
    witness.behave(status)
    const outcome = await ask(0)
    witness.behave(null)
    expect(outcome.kind).toBe(kind)
  })

  it("that cannot be reached is a failure with its reason", async () => {
    expect(await ask(0, note, "http://127.0.0.1:9")).toMatchObject({ kind: "failed", reason: /./ })
  })

  it.each([
    ["with a smaller size is asked again from there, once", 0, ["409 5\n", "500"], "failed", [0, 5]],
    ["with the size of the checkpoint is asked again without a proof", 0, ["409 7", "500"], "failed", [0, 7]],
    ["with another size each time is not asked a third time", 0, ["409 5", "409 6"], "failed", [0, 5]],
    ["without a size is not asked again", 0, ["409"], "failed", [0]],
    ["on equal sizes has seen another history", 7, ["409 7\n"], "conflict", [7]],
    ["on equal sizes, without a number, too", 7, ["409"], "conflict", [7]],
    ["on equal sizes after it named that size, too", 0, ["409 7\n", "409 7\n"], "conflict", [0, 7]]
  ])("that answers 409 %s", async (_, old, answers, kind, olds) => {
    const server = await behaveInTurn(answers)
    const outcome = await ask(old, note, server.url)
    server.stop()
    expect(outcome.kind).toBe(kind)
    expect(server.bodies.map((body) => Number(/^old (\d+)/.exec(body)![1]))).toEqual(olds)
  })
})
