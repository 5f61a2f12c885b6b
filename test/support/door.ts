/**
 * A door before cells: installations beside each other, each with a database of its own, and every account in one of them.
 * It knows what such a door has to know: the cell of an address for its mints, of a key for its calls and claims, of a
 * payment for Stripe's events, and that a record is in one of them. Judges and changes nothing, and is for tests: it forgets
 * all that it knows when it is closed.
 */
import { createHash } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { mailboxOf, normalizedEmail } from "../../src/services/keys/Keys.ts"

const OK = 200
const UNAUTHORIZED = 401
const NOT_FOUND = 404
const VALIDATION = 400
/** From here on a cell could not tell. */
const FAILED = 500
const OF_A_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "expect"])

/** The cell of an address, of so many; addresses of one mailbox are together, for its mails are counted together. */
export const cellOf = (email: string, cells: number): number =>
  createHash("sha256")
    .update(mailboxOf(normalizedEmail(email)))
    .digest()
    .readUInt32BE() % cells

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const parsed = (body: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const keyOf = ({ authorization, "x-api-key": key }: IncomingHttpHeaders): string | undefined =>
  textOf(key) ?? /^Bearer (.+)$/i.exec(authorization ?? "")?.[1]

/** By what Stripe names a payment, and whom it names. */
const paymentOf = (event: Readonly<Record<string, unknown>>) => {
  const { object = {} } = isRecord(event["data"]) ? event["data"] : {}
  const about = isRecord(object) ? object : {}
  const details = isRecord(about["customer_details"]) ? about["customer_details"] : {}
  const names = ["client_reference_id", "id", "subscription", "payment_intent", "invoice", "customer"]
  return {
    names: names.flatMap((name) => textOf(about[name]) ?? []),
    email: textOf(details["email"]) ?? textOf(about["customer_email"])
  }
}

/** Where a request goes: to the cells in this order, until one says that it is none of a stranger's. */
interface Way {
  readonly cells: ReadonlyArray<number>
  /** What a cell says of what is in another one. */
  readonly strange: number | null
  /** What is known to be in that cell afterwards. */
  readonly names: ReadonlyArray<string>
}

const wayOf = (
  asked: IncomingMessage,
  body: Buffer,
  all: ReadonlyArray<number>,
  known: ReadonlyMap<string, number>
) => {
  const path = new URL(asked.url!, "http://door").pathname
  const first = (names: ReadonlyArray<string>) =>
    names.map((name) => known.get(name)).find((cell) => cell !== undefined)
  const inTurn = (strange: number, names: ReadonlyArray<string> = []): Way => {
    const cell = first(names)
    return { cells: cell === undefined ? all : [cell], strange, names }
  }
  if (path === "/v1/keys/sandbox")
    return { cells: [cellOf(textOf(parsed(body)["email"]) ?? "", all.length)], strange: null, names: [] }
  if (path === "/v1/keys/claim") return inTurn(VALIDATION, [textOf(parsed(body)["sandboxKey"]) ?? ""])
  if (path === "/webhooks/stripe") {
    const { email, names } = paymentOf(parsed(body))
    return { cells: [first(names) ?? cellOf(email ?? "", all.length)], strange: null, names }
  }
  if (path.startsWith("/v1/verify/")) return inTurn(NOT_FOUND)
  const key = keyOf(asked.headers)
  return key === undefined ? { cells: [0], strange: null, names: [] } : inTurn(UNAUTHORIZED, [key])
}

const withoutConnection = (raw: ReadonlyArray<string>): Array<string> =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && !OF_A_CONNECTION.has(name.toLowerCase()) ? [name, raw[index + 1]!] : []
  )

/** The answer of a cell, of which only the head is there. */
const forwarded = ({ method, rawHeaders, url }: IncomingMessage, body: Buffer, base: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const isChunked = rawHeaders.some((name, index) => index % 2 === 0 && /^transfer-encoding$/i.test(name))
    const length = isChunked ? ["content-length", String(body.length)] : []
    const headers = [...withoutConnection(rawHeaders), ...length, "connection", "close"]
    request(`${base}${url}`, { method: method!, headers, agent: false }, resolve).on("error", reject).end(body)
  })

/** The one of a mint or a claim is read, for the key and the reference that it hands out. */
const namesIn = (answer: Buffer): ReadonlyArray<string> => {
  const { apiKey, upgradeUrl } = parsed(answer)
  const link = textOf(upgradeUrl)
  const reference = link === undefined ? null : new URL(link).searchParams.get("client_reference_id")
  return [textOf(apiKey), reference].filter((name) => typeof name === "string")
}

/** What the first cell says that is not a stranger's; else that of one that could not tell, else what all of them say. */
const answerOf = async (question: IncomingMessage, body: Buffer, way: Way, addresses: ReadonlyArray<string>) => {
  let kept: { readonly cell: number; readonly answer: IncomingMessage } | undefined
  for (const cell of way.cells) {
    const answer = await forwarded(question, body, addresses[cell]!)
    const failed = answer.statusCode! >= FAILED
    const told = !failed && answer.statusCode !== way.strange
    if (kept === undefined || failed || told) {
      kept?.answer.resume()
      kept = { cell, answer }
    } else answer.resume()
    if (told) break
  }
  return kept!
}

/** Serves at a port of this machine, before the services at these addresses. */
export const openDoor = async (port: number, addresses: ReadonlyArray<string>) => {
  const known = new Map<string, number>()
  const all = addresses.map((_, cell) => cell)
  const serve = async (question: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(question)
    const way = wayOf(question, body, all, known)
    const { answer, cell } = await answerOf(question, body, way, addresses)
    const isOk = answer.statusCode === OK
    const read = isOk && question.url!.startsWith("/v1/keys/") ? await buffer(answer) : null
    if (isOk) for (const name of [...way.names, ...namesIn(read ?? Buffer.of())]) known.set(name, cell)
    response.writeHead(answer.statusCode!, answer.statusMessage, withoutConnection(answer.rawHeaders))
    if (read !== null) response.end(read)
    else answer.pipe(response.on("close", () => answer.destroy()))
  }
  const server = createServer((question, response) => {
    serve(question, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
