/**
 * The requests of the HTTP bench with the expected length of each answer. The servers must first
 * answer every request alike, except for ids, times, salts, hashes, and versions and texts of rules;
 * otherwise nothing is timed.
 */
import type { Listening } from "../../test/support/programs.ts"
import { comparable } from "../comparable.ts"
import type { ServerName, Servers } from "./http-servers.ts"
import { confirmations, headersOf, type Question, type Row, TASKS, wireText } from "./http-tasks.ts"
import type { Message } from "./load.ts"

const SHOWN_CHARACTERS = 120

const comparableText = (answer: string): string => JSON.stringify(comparable(JSON.parse(answer)))

const expectSame = (path: string, answer: string, byHand: string): void => {
  if (answer === byHand) return
  let first = 0
  while (answer[first] === byHand[first]) first++
  const shown = [answer, byHand].map((text) =>
    text.slice(Math.max(0, first - SHOWN_CHARACTERS), first + SHOWN_CHARACTERS)
  )
  throw new Error(`${path} is answered differently by hand:\n${shown.join("\n")}`)
}

export const answerOf = async (server: Listening, question: Question): Promise<string> => {
  const { body, method, path } = question
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${server.base}${path}`, { method, headers: headersOf(question), ...sent })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`)
  return text
}

/** The messages for each server. Only the service has a tool server. */
export type Prepared = Partial<Record<ServerName, ReadonlyArray<Message> | undefined>>

export const messageOf = (question: Question, answer: string): Message => ({
  text: wireText(question),
  answerBytes: Buffer.byteLength(answer)
})

interface Asked extends Record<"service" | "byHand", ReadonlyArray<Question>> {
  readonly before?: ReadonlyArray<Question>
}

/** Sends the servers their questions; throws if an answer differs from the service's. */
const prepare = async (servers: Servers, asked: Asked): Promise<Prepared> => {
  const messages = { service: [], before: [], byHand: [], ceiling: [] } as Record<ServerName, Array<Message>>
  for (const [index, question] of asked.service.entries()) {
    const answer = await answerOf(servers.service, question)
    messages.service.push(messageOf(question, answer))
    for (const name of ["before", "byHand"] as const) {
      const same = asked[name]?.[index]
      if (same === undefined) continue
      const other = await answerOf(servers[name], same)
      expectSame(question.path, comparableText(answer), comparableText(other))
      messages[name].push(messageOf(same, other))
    }
    await fetch(`${servers.ceiling.base}${question.path}`, { method: "PUT", body: answer })
  }
  for (const question of asked.service)
    messages.ceiling.push(messageOf(question, await answerOf(servers.ceiling, question)))
  return asked.before === undefined ? { ...messages, before: undefined } : messages
}

export const answerIdOf = async (server: Listening, question: Question): Promise<string> =>
  JSON.parse(await answerOf(server, question)).provenance.answerId

export const prepareRow = async (servers: Servers, { goals, keys, task }: Row): Promise<Prepared> => {
  if (task === "verify") {
    const ids: Record<"service" | "byHand", Array<string>> = { service: [], byHand: [] }
    for (const question of TASKS.projection(servers.keys)) {
      for (const name of ["service", "byHand"] as const) ids[name].push(await answerIdOf(servers[name], question))
    }
    return prepare(servers, { service: confirmations(ids.service), byHand: confirmations(ids.byHand) })
  }
  const questions = TASKS[task](servers.keys.slice(0, keys))
  if (task !== "tool") {
    const before = goals?.cpuOverBefore === undefined ? {} : { before: questions }
    return prepare(servers, { service: questions, byHand: questions, ...before })
  }
  const messages: Array<Message> = []
  for (const question of questions) messages.push(messageOf(question, await answerOf(servers.service, question)))
  return { service: messages }
}
