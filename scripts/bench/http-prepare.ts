/**
 * The requests of the HTTP bench with the expected length of each answer. The service and the
 * hand-written server must first answer every request alike, except for ids, salts and times;
 * otherwise nothing is timed.
 */
import type { Listening } from "../../test/support/programs.ts"
import type { ServerName, Servers } from "./http-servers.ts"
import { confirmations, headersOf, type Question, type Row, TASKS, wireText } from "./http-tasks.ts"
import type { Message } from "./load.ts"

const VARYING_MEMBERS = /"(answerId|verifyUrl|computedAtUtc|recordedAtUtc|answerSalt|answerHash)":"[^"]*"/g

const withoutIdsAndTimes = (text: string): string => text.replace(VARYING_MEMBERS, '"$1":""')

const SHOWN_CHARACTERS = 120

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
export type Prepared = Partial<Record<ServerName, ReadonlyArray<Message>>>

export const messageOf = (question: Question, answer: string): Message => ({
  text: wireText(question),
  answerBytes: Buffer.byteLength(answer)
})

/** Sends the service and the hand-written server their questions; throws if an answer differs. */
const prepare = async (
  { byHand, ceiling, service }: Servers,
  questions: ReadonlyArray<Question>,
  questionsByHand = questions
): Promise<Required<Prepared>> => {
  const messages: Record<ServerName, Array<Message>> = { service: [], byHand: [], ceiling: [] }
  for (const [index, question] of questions.entries()) {
    const same = questionsByHand[index]!
    const [answer, answerByHand] = [await answerOf(service, question), await answerOf(byHand, same)]
    expectSame(question.path, withoutIdsAndTimes(answer), withoutIdsAndTimes(answerByHand))
    messages.service.push(messageOf(question, answer))
    messages.byHand.push(messageOf(same, answerByHand))
    await fetch(`${ceiling.base}${question.path}`, { method: "PUT", body: answer })
  }
  for (const question of questions) messages.ceiling.push(messageOf(question, await answerOf(ceiling, question)))
  return messages
}

export const answerIdOf = async (server: Listening, question: Question): Promise<string> =>
  JSON.parse(await answerOf(server, question)).provenance.answerId

export const prepareRow = async (servers: Servers, { keys, task }: Row): Promise<Prepared> => {
  const { byHand, service } = servers
  if (task === "verify") {
    const recorded = TASKS.projection(servers.keys)
    const ids: Record<"service" | "byHand", Array<string>> = { service: [], byHand: [] }
    for (const question of recorded) {
      ids.service.push(await answerIdOf(service, question))
      ids.byHand.push(await answerIdOf(byHand, question))
    }
    return prepare(servers, confirmations(ids.service), confirmations(ids.byHand))
  }
  const questions = TASKS[task](servers.keys.slice(0, keys))
  if (task !== "tool") return prepare(servers, questions)
  const messages: Array<Message> = []
  for (const question of questions) messages.push(messageOf(question, await answerOf(service, question)))
  return { service: messages }
}
