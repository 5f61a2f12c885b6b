/**
 * Witnesses for tests (C2SP tlog-witness): one that cosigns whatever it is sent, or lies in one of
 * several ways, and one that never cosigns a fork.
 */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { text as textOf } from "node:stream/consumers"
import { sha256 } from "../../src/platform/sha256.ts"
import { fromBase64, isEqual } from "../../src/proof/bytes.ts"
import { COSIGNATURE_TYPE, cosignedText, textOfNote } from "../../src/proof/note.ts"
import { checkConsistency, type Tree } from "../../src/proof/tree.ts"
import { makeKey, treeOf } from "../../src/services/log/keys.ts"

const DAY_SECONDS = 86_400

/** Cosigns the text of a checkpoint as seen at a time, in whole seconds since 1970. */
export const makeCosigner = async (name: string, privateKey: Uint8Array) => {
  const { sign, verifierKey } = await makeKey(name, privateKey, COSIGNATURE_TYPE)
  const cosign = (text: string, seconds: number) => {
    const time = new DataView(new ArrayBuffer(8))
    time.setBigUint64(0, BigInt(seconds))
    return sign(cosignedText(BigInt(seconds), text), new Uint8Array(time.buffer))
  }
  return { verifierKey, cosign }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Listens on a free port; `listen` listens there again after `stop`. */
const serve = async (listener: RequestListener) => {
  const server = createServer(listener)
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening")
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    url: `http://127.0.0.1:${port}`,
    listen: () => listen(port),
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** A witness that cosigns a checkpoint only if it extends the last one that it cosigned. */
export const startHonestWitness = async (name: string, seed: number) => {
  const { cosign, verifierKey } = await makeCosigner(name, new Uint8Array(32).fill(seed))
  let seen: Tree = { size: 0, root: sha256(new Uint8Array()) }
  /** Status and body of the answer. */
  const answerTo = async (body: string): Promise<readonly [number, string]> => {
    const end = body.indexOf("\n\n")
    const [old, ...proof] = body.slice(0, end).split("\n")
    const tree = treeOf(body.slice(end + 2))
    const conflict = [409, `${seen.size}\n`] as const
    if (old !== `old ${seen.size}`) return conflict
    if (seen.size === tree.size && !isEqual(seen.root, tree.root)) return conflict
    if (seen.size > 0) await checkConsistency(seen, tree, proof.map(fromBase64))
    seen = tree
    return [200, await cosign(textOfNote(body.slice(end + 2)), nowSeconds())]
  }
  const server = await serve(async (request, response) => {
    const [status, text] = await answerTo(await textOf(request)).catch(() => [422, ""] as const)
    response.writeHead(status).end(text)
  })
  /** Its line in a policy. */
  return { ...server, line: `witness ${name} ${verifierKey} ${server.url}` }
}

export const LIES = [
  "another root",
  "an older checkpoint",
  "a foreign key under its name",
  "a foreign signature under its key id",
  "a time a day ahead",
  "409 with no number",
  "409 with a larger size",
  "an endless body",
  "a redirect",
  "another note in the answer",
  "no answer at all"
] as const
export type Lie = (typeof LIES)[number]

export const startWitness = async (name: string, seed: number) => {
  const [own, foreign] = await Promise.all(
    [seed, seed + 100].map((byte) => makeCosigner(name, new Uint8Array(32).fill(byte)))
  )
  let lie: Lie | null = null
  let status = 0
  let earlier: string | undefined
  const bodies: Array<string> = []
  const answerTo = async (body: string): Promise<string> => {
    const text = textOfNote(body.slice(body.indexOf("\n\n") + 2))
    earlier ??= text
    const seconds = nowSeconds()
    const idOf = (line: string) => line.trim().split(" ")[2]!.slice(0, 5)
    switch (lie) {
      case "another root":
        return own!.cosign(text.replace(/\n[^\n]{44}\n$/, `\n${"A".repeat(43)}=\n`), seconds)
      case "an older checkpoint":
        return own!.cosign(earlier, seconds)
      case "a foreign key under its name":
        return foreign!.cosign(text, seconds)
      case "a foreign signature under its key id": {
        const [true_, false_] = [await own!.cosign(text, seconds), await foreign!.cosign(text, seconds)]
        return false_.replace(idOf(false_), idOf(true_))
      }
      case "a time a day ahead":
        return own!.cosign(text, seconds + DAY_SECONDS)
      case "another note in the answer": {
        const more = `${body.slice(body.indexOf("\n\n") + 2)}another\n`
        return `another\n\n${await own!.cosign(more, seconds)}`
      }
      default:
        return own!.cosign(text, seconds)
    }
  }
  const server = await serve(async (request, response) => {
    const body = await textOf(request)
    bodies.push(body)
    if (lie === "no answer at all") return
    if (lie === "409 with no number") response.writeHead(409).end("many\n")
    else if (lie === "409 with a larger size") {
      const size = Number(body.slice(body.indexOf("\n\n") + 2).split("\n")[1])
      response.writeHead(409, { "content-type": "text/x.tlog.size" }).end(`${size + 1}\n`)
    } else if (lie === "a redirect") response.writeHead(307, { location: `${request.url}?again` }).end()
    else if (lie === "an endless body") {
      response.writeHead(200)
      const send = () => {
        while (!response.destroyed && response.write("— endless ".repeat(100)));
      }
      response.on("drain", send)
      send()
    } else if (status > 0) response.writeHead(status).end()
    else response.end(await answerTo(body))
  })
  return {
    ...server,
    verifierKey: own!.verifierKey,
    bodies,
    /** From now on it lies, or answers with this status; null: it cosigns. */
    behave: (next: Lie | number | null) => {
      lie = typeof next === "string" ? next : null
      status = typeof next === "number" ? next : 0
    }
  }
}
export type TestWitness = Awaited<ReturnType<typeof startWitness>>
