/**
 * A load of callers that request projections without a pause while a test breaks something, and the
 * account of their outcomes.
 */
import { expect } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { projection } from "../support/requests.ts"
import { mayNotBeLogged, type ServiceProcess } from "../support/serviceProcess.ts"
import { pause } from "../support/until.ts"

/** A request with unique figures, which the tests search for in the logs. */
export const marked = {
  ...projection,
  scenario: { ...projection.scenario, adjustedGrossIncome: 61_234.56 },
  loans: [{ ...projection.loans[0]!, principalBalance: 54_321.09 }]
}
for (const figure of ["61234.56", "54321.09"]) mayNotBeLogged(figure)

/** All members of a 503 problem, which must contain no figure of the withheld answer. */
const PROBLEM_MEMBERS = ["detail", "instance", "retryAfterSeconds", "status", "title", "type"]
const AFTER_REFUSAL_MILLIS = 50

interface Outcomes {
  /** Ids of the answers with 200. */
  readonly ids: Array<string>
  /** 503 problems. */
  refused: number
  /** Connections that ended without an answer. */
  unanswered: number
  inFlight: number
  /** When the last 200 arrived. */
  answeredAt: number
  /** When its request was sent. */
  askedAt: number
}

type Node = Pick<ServiceProcess, "call">

const once = async (node: Node, key: string, outcomes: Outcomes): Promise<boolean> => {
  outcomes.inFlight++
  const askedAt = performance.now()
  try {
    const response = await node.call("POST", "/v1/projection", { json: marked, key })
    if (response.status === 503) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
      const problem = await expectProblem(response, 503, "ledger-unavailable")
      expect(Object.keys(problem).sort()).toEqual(PROBLEM_MEMBERS)
      outcomes.refused++
      return false
    }
    expect(response.status).toBe(200)
    const answer = (await response.json()) as { provenance: { answerId: string } }
    outcomes.ids.push(answer.provenance.answerId)
    outcomes.answeredAt = performance.now()
    outcomes.askedAt = askedAt
    return true
  } catch (error) {
    // fetch throws TypeError if the connection fails or ends early; anything else fails the test.
    if (!(error instanceof TypeError)) throw error
    outcomes.unanswered++
    return false
  } finally {
    outcomes.inFlight--
  }
}

/** Starts `callers` callers, each of which calls the current node. */
export const startLoad = (callers: number, node: () => Node, key: string) => {
  const outcomes: Outcomes = { ids: [], refused: 0, unanswered: 0, inFlight: 0, answeredAt: 0, askedAt: 0 }
  let isOn = true
  const caller = async () => {
    while (isOn) if (!(await once(node(), key, outcomes))) await pause(AFTER_REFUSAL_MILLIS)
  }
  const ended = Promise.allSettled(Array.from({ length: callers }, caller))
  /** Stops the callers; rejects if one got an unexpected answer. */
  const stop = async () => {
    isOn = false
    for (const end of await ended) if (end.status === "rejected") throw end.reason
  }
  return { outcomes, stop }
}

const VERIFIED_AT_ONCE = 8

/** Ids that the service does not confirm. */
export const unverified = async (node: Node, ids: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  await fewAtOnce(VERIFIED_AT_ONCE, ids, async (id) => {
    const response = await node.call("GET", `/v1/verify/${id}`)
    const record = (await response.json()) as { answerId?: string; recorded?: boolean }
    if (response.status !== 200 || record.answerId !== id || record.recorded !== true) missing.push(id)
  })
  return missing
}
