/**
 * What a call can be rejected with: a problem of the service, no answer, or an answer of somebody else. Each is an error
 * that says what happened in its message, and whose stack begins where the call was made.
 */
import type { Problem, ProblemTag } from "./generated/contract.ts"

/** The problem document (RFC 9457) that the service has answered with. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Shared with the problems of the contract, so that both are known by it whatever copy of the code made them. */
const PROBLEM = Symbol.for("repayment-of-record/Problem")

const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, "")

/** A message names this many refused fields; `errors` has all. */
const MOST_NAMED = 2

/** The first refused fields, each with its first message. */
const refusedFields = (errors: ServiceProblem["errors"]): string => {
  const all = Object.entries(errors ?? {}).map(([path, [message]]) => `${path} ${message}`)
  const unnamed = all.length - MOST_NAMED
  const named = all.slice(0, MOST_NAMED).join("; ")
  return (named && ` ${named}`) + (unnamed > 0 ? `; and ${unnamed} more` : "")
}

abstract class Failure extends Error {
  abstract readonly _tag: string

  static {
    // On the prototype, so that what is printed of a failure does not list it again.
    Object.defineProperty(Failure.prototype, "name", {
      get(this: Failure) {
        return this._tag
      }
    })
  }
}

/** A problem of the service. `_tag` tells which; `isProblem` gives each its own members and status. */
export class ServiceProblem extends Failure {
  /** Which problem it is, such as "ValidationProblem". */
  readonly _tag: ProblemTag
  /** Address of a page that explains the problem, with an example. */
  readonly type: string
  /** What kind of problem it is. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** What is wrong with this request, and what to do. */
  readonly detail: string
  /** urn:uuid: and the id of the request, which the operator finds in the log. */
  readonly instance: string
  /** Each refused field by its path, such as loans[0].interestRate, with its messages. */
  declare readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Seconds to wait before the next attempt. */
  declare readonly retryAfterSeconds?: number
  /** Where the next tier can be bought. */
  declare readonly upgradeUrl?: string

  constructor(tag: ProblemTag, document: ProblemDocument) {
    super(`${withoutPeriod(document.title)}: ${document.detail}${refusedFields(document.errors)}`)
    this._tag = tag
    this.type = document.type
    this.title = document.title
    this.status = document.status
    this.detail = document.detail
    this.instance = document.instance
    Object.assign(this, document)
  }

  static {
    Object.defineProperty(ServiceProblem.prototype, PROBLEM, { value: true })
  }
}

/** No answer: no connection, or none in time. Whether the call was carried out is not known. */
export class ServiceUnreachable extends Failure {
  readonly _tag = "ServiceUnreachable"
}

/** The answer is not from this service, or from a version of it that this client does not know. */
export class UnexpectedAnswer extends Failure {
  readonly _tag = "UnexpectedAnswer"
  /** The HTTP status. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** What a promise of the client is rejected with, unless its signal had a reason of its own. */
export type CallFailure = Problem | ServiceUnreachable | UnexpectedAnswer

/** Whether it is a problem of the service. `_tag` tells them apart, and TypeScript the members of each. */
export const isProblem = (error: unknown): error is Problem =>
  typeof error === "object" && error !== null && PROBLEM in error
