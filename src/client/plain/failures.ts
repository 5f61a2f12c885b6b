/**
 * The errors that a call can be rejected with: a problem of the service, no response, or an
 * unexpected response. The message says what happened; the stack begins where the call was made.
 */
import type { Problem, ProblemTag } from "./generated/contract.ts"

/** A problem document (RFC 9457), as the service sends it. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
}

const isText = (value: unknown): boolean => typeof value === "string"

/** Whether the members that every problem has, and `errors`, are of their types. */
export const isProblemDocument = (value: unknown): value is ProblemDocument => {
  const { detail, errors = {}, instance, status, title, type } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    [type, title, detail, instance].every(isText) &&
    Number.isFinite(status) &&
    Object.values(errors ?? [errors]).every(
      (messages) => Array.isArray(messages) && messages[0] && messages.every(isText)
    )
  )
}

/** Shared with the contract's problems, so that `isProblem` works across copies of the code. */
const PROBLEM = Symbol.for("repayment-of-record/Problem")

const withoutPeriod = (sentence: string): string => sentence.replace(/\.$/, "")

/** Refused fields named in the message; `errors` has all of them. */
const MAX_NAMED_FIELDS = 2

/** A longer message is cut; the members have the whole text. The service's own are shorter. */
const MAX_MESSAGE_CHARACTERS = 2000

/** The first refused fields, each with its first message. */
const refusedFields = (errors: ServiceProblem["errors"]): string => {
  const all = Object.entries(errors ?? {}).map(([path, [message]]) => `${path} ${message}`)
  const unnamed = all.length - MAX_NAMED_FIELDS
  const named = all.slice(0, MAX_NAMED_FIELDS).join("; ")
  return (named && ` ${named}`) + (unnamed > 0 ? `; and ${unnamed} more` : "")
}

abstract class Failure extends Error {
  abstract readonly _tag: string

  static {
    // On the prototype, so that printing a failure does not list the name as a member.
    Object.defineProperty(Failure.prototype, "name", {
      get(this: Failure) {
        return this._tag
      }
    })
  }
}

/**
 * A problem of the service: its answer to a call that it refuses or cannot carry out. `_tag` says
 * which problem it is; after `isProblem`, TypeScript knows the members and the status of each.
 */
export class ServiceProblem extends Failure {
  /** The problem's name, such as "ValidationProblem". */
  readonly _tag: ProblemTag
  /** URL of a page that explains the problem, with an example. */
  declare readonly type: string
  /** Summary of this kind of problem. */
  declare readonly title: string
  /** The HTTP status. */
  declare readonly status: number
  /** The fault of this request, and its remedy. */
  declare readonly detail: string
  /** `urn:uuid:` and the request id, which the operator can find in the service's log. */
  declare readonly instance: string
  /** Messages by the path of the refused field, such as `loans[0].interestRate`. */
  declare readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Seconds to wait before the next attempt. */
  declare readonly retryAfterSeconds?: number
  /** URL of the page that says how to get more calls. */
  declare readonly upgradeUrl?: string

  constructor(tag: ProblemTag, document: ProblemDocument) {
    const { detail, errors, title } = document
    super(`${withoutPeriod(title)}: ${detail}${refusedFields(errors)}`.slice(0, MAX_MESSAGE_CHARACTERS))
    this._tag = tag
    for (const [name, member] of Object.entries(document)) {
      // A document may not overwrite the members of an Error: message, stack, tag or prototype.
      if (!(name in this)) Object.assign(this, { [name]: member })
    }
  }

  static {
    Object.defineProperty(ServiceProblem.prototype, PROBLEM, { value: true })
  }
}

/**
 * No response: the connection failed, or the time was over. Whether the service carried out the
 * call is unknown. With the same `idempotencyKey` it can safely be made again. `cause` has the error
 * of `fetch`, if there was one.
 */
export class ServiceUnreachable extends Failure {
  readonly _tag = "ServiceUnreachable"
}

/**
 * A response that is not from this service, or is from a version that this client does not know. So
 * is a redirect, because it is not followed, and a body of more than 8 MB.
 */
export class UnexpectedAnswer extends Failure {
  readonly _tag = "UnexpectedAnswer"
  /** The HTTP status; 0 for a redirect in a browser. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * The errors that a call is rejected with. Two others are possible: the reason of the caller's
 * signal, and a TypeError for an argument that cannot be sent.
 */
export type CallFailure = Problem | ServiceUnreachable | UnexpectedAnswer

/**
 * Whether a value is a problem of the service. After this check, comparing `_tag` narrows the type
 * to one problem with its own members.
 */
export const isProblem = (error: unknown): error is Problem =>
  typeof error === "object" && error !== null && PROBLEM in error
