/**
 * Retries of a call. After a lost connection a GET or a call with an Idempotency-Key is retried.
 * After a 429 or 503 with a short Retry-After any call is retried, as the service requests. A long
 * Retry-After, such as that of a used-up monthly quota, is returned at once: obeying it could take
 * weeks.
 */

/** The default maximum. */
export const RETRIES = 2
const FIRST_PAUSE_MILLIS = 100
const MAX_WAIT_SECONDS = 5

/**
 * 429: rate limit or quota. 503: the database cannot be used, or there are too many calculations.
 */
const RETRIED_STATUSES: ReadonlyArray<number> = [429, 503]

/** The seconds of Retry-After if they are few, else undefined. */
const shortWait = (status: number, retryAfter: string | null): number | undefined => {
  const seconds = Number(retryAfter ?? Number.NaN)
  return RETRIED_STATUSES.includes(status) && seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined
}

/** Waits, and rejects as soon as the call is aborted. */
const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, millis)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

export interface Received {
  readonly status: number
  readonly retryAfter: string | null
  /** Undefined if the body is too long. */
  readonly text: string | undefined
}

/** Retries after a lost connection, with exponential backoff. */
const reconnecting = async (send: () => Promise<Received>, signal: AbortSignal, retries: number): Promise<Received> => {
  for (let losses = 0; ; losses++) {
    try {
      return await send()
    } catch (error) {
      if (losses >= retries || signal.aborted) throw error
      await pause(FIRST_PAUSE_MILLIS * 2 ** losses, signal)
    }
  }
}

/**
 * Sends with retries, and returns the first response that is final.
 * @param isIdempotent whether sending twice changes nothing, so a lost connection is retried
 */
export const withRetries = async (
  send: () => Promise<Received>,
  isIdempotent: boolean,
  signal: AbortSignal,
  retries: number
): Promise<Received> => {
  for (let attempt = 0; ; attempt++) {
    const received = await (isIdempotent ? reconnecting(send, signal, retries) : send())
    const seconds = shortWait(received.status, received.retryAfter)
    if (seconds === undefined || attempt >= retries) return received
    await pause(seconds * 1000, signal)
  }
}
