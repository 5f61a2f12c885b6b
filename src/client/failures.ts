/** What a call can fail with beside the problems of the service: nobody answered, or somebody else did. */
import { Data } from "effect"

/** No answer came: no connection, or not within the time allowed. Whether the call was carried out is not known. */
export class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** An answer came that is not one of this service, or of a version that this client does not know. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{
  readonly message: string
  /** HTTP status, if the answer had one. */
  readonly status: number | undefined
  readonly cause?: unknown
}> {}
