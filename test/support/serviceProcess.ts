/**
 * The service as a process of its own, ended in whatever way a test wants. Keeps what every process
 * of the file wrote, so that the logs can be searched at the end. Asserts nothing.
 */
import { afterAll } from "vitest"
import { callerOf, mintOver } from "./calls.ts"
import { COMPILED } from "./compiled.ts"
import { wayTo } from "./database.ts"
import { killPrograms, SERVICE, startProgram, untilListening } from "./programs.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SERVER } from "./settings.ts"

const written: Array<() => string> = []
/** What was sent or received by the tests of this file and may not be in any log. */
const secrets = new Set<string>([TEST_PEPPER])

export const mayNotBeLogged = (secret: string): void => void secrets.add(secret)

/** Everything that the processes of this file wrote, and which secrets stand in it. */
export const searchedLogs = (): { readonly characters: number; readonly leaked: ReadonlyArray<string> } => {
  const all = written.map((log) => log()).join("\n")
  return { characters: all.length, leaked: [...secrets].filter((secret) => all.includes(secret)) }
}

export const killServiceProcesses = killPrograms
afterAll(killServiceProcesses)

/** A process that has been started and may still be far from listening, or never get there. */
export const spawnService = (variables: Readonly<Record<string, string>>) => {
  const fixed = { PORT: "0", SECRET_PEPPER: TEST_PEPPER, LOG_FORMAT: "json" }
  const { DATABASE_URL: database } = variables
  const way = database === undefined ? {} : { DATABASE_URL: wayTo(database) }
  const service = startProgram(SERVICE, {
    variables: { ...fixed, ...COMPILED, ...TEST_SERVER, ...NO_LIMITS, ...variables, ...way }
  })
  written.push(service.log)
  return service
}

/** Starts the service and waits until it listens. */
export const startServiceProcess = async (variables: Readonly<Record<string, string>>) => {
  const listening = await untilListening(spawnService(variables))
  const call = callerOf(listening.base)
  /** A new sandbox key of a new address. */
  const mint = async () => {
    const { apiKey, email } = await mintOver(call)
    mayNotBeLogged(email)
    mayNotBeLogged(apiKey)
    return apiKey
  }
  return { ...listening, port: Number(new URL(listening.base).port), call, mint }
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
