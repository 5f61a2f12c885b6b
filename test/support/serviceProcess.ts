/**
 * The service as a separate process, which a test can stop in any way. The output of every process
 * of the file is kept, so that a test can search the logs at the end. Asserts nothing.
 */
import { afterAll } from "vitest"
import { callerOf, mintOver } from "./calls.ts"
import { COMPILED } from "./compiled.ts"
import { wayTo } from "./database.ts"
import { killPrograms, SERVICE, startProgram, untilListening } from "./programs.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SERVER } from "./settings.ts"

const written: Array<() => string> = []
/** Secrets that this file's tests sent or received, and that must not appear in a log. */
const secrets = new Set<string>([TEST_PEPPER])

export const mayNotBeLogged = (secret: string): void => void secrets.add(secret)

/** The output of every process of this file. */
export const writtenLogs = (): string => written.map((log) => log()).join("\n")

/** The size of this file's logs, and the secrets found in them. */
export const searchedLogs = (): { readonly characters: number; readonly leaked: ReadonlyArray<string> } => {
  const all = writtenLogs()
  return { characters: all.length, leaked: [...secrets].filter((secret) => all.includes(secret)) }
}

export const killServiceProcesses = killPrograms
afterAll(killServiceProcesses)

/** Starts the service without waiting; it may never listen. */
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
  const mint = async () => {
    const { apiKey, email } = await mintOver(call)
    mayNotBeLogged(email)
    mayNotBeLogged(apiKey)
    return apiKey
  }
  return { ...listening, port: Number(new URL(listening.base).port), call, mint }
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
