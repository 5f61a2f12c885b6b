/** How a call can fail apart from the problems of the service: no response, or one that is not from this service. */
import { Data } from "effect"

/** No response: no connection, or a timeout. Whether the call was carried out is not known. */
export class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The response is not from this service, or from a version that this client does not know. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{
  readonly message: string
  /** HTTP status, if the response had one. */
  readonly status: number | undefined
  readonly cause?: unknown
}> {}
