/**
 * The requests of the HTTP bench with the expected length of each answer. The servers must first
 * answer every request alike, except for ids, times, salts, hashes, versions and texts;
 * otherwise nothing is timed.
 */
import type { Listening } from "../../test/support/programs.ts"
import { comparable } from "../comparable.ts"
import type { ServerName, Servers } from "./http-servers.ts"
import { confirmations, headersOf, type Question, type Row, TASKS, wireText } from "./http-tasks.ts"
import type { Message } from "./load.ts"

const SHOWN_CHARACTERS = 120

/** Members whose wording a release may change. */
const TEXTS: ReadonlyArray<string> = ["notes", "reason", "assumptions"]

const comparableText = (answer: string): string =>
  JSON.stringify(comparable(JSON.parse(answer)), (name, value) => (TEXTS.includes(name) ? undefined : value))

const expectSame = (what: string, answer: string, other: string): void => {
  if (answer === other) return
  let first = 0
  while (answer[first] === other[first]) first++
  const shown = [answer, other].map((text) =>
    text.slice(Math.max(0, first - SHOWN_CHARACTERS), first + SHOWN_CHARACTERS)
  )
  throw new Error(`${what} differs from the answer of the service:\n${shown.join("\n")}`)
}

export const answerOf = async (server: Listening, question: Question): Promise<string> => {
  const { body, method, path } = question
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${server.base}${path}`, { method, headers: headersOf(question), ...sent })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
  return text
}

/** The messages for each server; none for one that does not answer the task. */
export type Prepared = Readonly<Record<ServerName, ReadonlyArray<Message>>>

export const messageOf = (question: Question, answer: string): Message => ({
  text: wireText(question),
  answerBytes: Buffer.byteLength(answer)
})

/** The servers that compute answers, each with the questions that it is asked. */
type Asked = Partial<Record<"service" | "before" | "byHand", ReadonlyArray<Question>>>

/** Sends the servers their questions; throws if an answer differs from the service's. */
const prepare = async (servers: Servers, asked: Asked): Promise<Prepared> => {
  const messages: Record<ServerName, Array<Message>> = { service: [], before: [], byHand: [], ceiling: [] }
  for (const [index, question] of asked.service!.entries()) {
    const answer = await answerOf(servers.service, question)
    messages.service.push(messageOf(question, answer))
    for (const name of ["before", "byHand"] as const) {
      const same = asked[name]?.[index]
      if (same === undefined) continue
      const other = await answerOf(servers[name], same)
      expectSame(`${question.path} of ${name}`, comparableText(answer), comparableText(other))
      messages[name].push(messageOf(same, other))
    }
    await fetch(`${servers.ceiling.base}${question.path}`, { method: "PUT", body: answer })
  }
  // The ceiling has one answer for a path, and both revisions of the tools share theirs.
  if (asked.service!.some(({ path }) => path === "/mcp")) return messages
  for (const question of asked.service!)
    messages.ceiling.push(messageOf(question, await answerOf(servers.ceiling, question)))
  return messages
}

export const answerIdOf = async (server: Listening, question: Question): Promise<string> =>
  JSON.parse(await answerOf(server, question)).provenance.answerId

const confirmationsOf = async (server: Listening, keys: ReadonlyArray<string>): Promise<ReadonlyArray<Question>> => {
  const ids: Array<string> = []
  for (const question of TASKS.projection(keys)) ids.push(await answerIdOf(server, question))
  return confirmations(ids)
}

export const prepareRow = async (servers: Servers, { keys, task }: Row): Promise<Prepared> => {
  if (task === "verify") {
    return prepare(servers, {
      service: await confirmationsOf(servers.service, servers.keys),
      before: await confirmationsOf(servers.before, servers.keys),
      byHand: await confirmationsOf(servers.byHand, servers.keys)
    })
  }
  const questions = TASKS[task](servers.keys.slice(0, keys))
  // They are compared with each other, and not with other servers.
  return task === "brief" || task === "tool" || task === "statelessTool"
    ? prepare(servers, { service: questions })
    : prepare(servers, { service: questions, before: questions, byHand: questions })
}
