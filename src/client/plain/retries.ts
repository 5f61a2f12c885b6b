/**
 * When a call is sent again. After a lost connection only if repeating it changes nothing; after 429 and 503 with a short
 * Retry-After for any call, because the service asks for it. A longer Retry-After, such as that of a used-up month, is
 * returned to the caller at once: a client that obeyed it would sleep for weeks.
 */

/** How often, unless a caller says otherwise. */
export const RETRIES = 2
const FIRST_PAUSE_MILLIS = 100
const MAX_WAIT_SECONDS = 5

/** Rate limit or quota; the ledger cannot be reached, or too many calculations at once. */
const RETRIED_STATUSES: ReadonlyArray<number> = [429, 503]

/** The seconds of Retry-After, if they are few. */
const shortWait = (status: number, retryAfter: string | null): number | undefined => {
  const seconds = Number(retryAfter ?? Number.NaN)
  return RETRIED_STATUSES.includes(status) && seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined
}

/** A wait that ends with its call. */
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
  readonly text: string
}

/** Sends again what did not get through, at growing distances. */
const reconnecting = async (send: () => Promise<Received>, signal: AbortSignal, retries: number): Promise<Received> => {
  for (let lost = 0; ; lost++) {
    try {
      return await send()
    } catch (error) {
      if (lost >= retries || signal.aborted) throw error
      await pause(FIRST_PAUSE_MILLIS * 2 ** lost, signal)
    }
  }
}

/** Sends until there is an answer to keep, or the call is given up. `isReading`: sending twice changes nothing. */
export const withRetries = async (
  send: () => Promise<Received>,
  isReading: boolean,
  signal: AbortSignal,
  retries: number
): Promise<Received> => {
  for (let asked = 0; ; asked++) {
    const received = await (isReading ? reconnecting(send, signal, retries) : send())
    const seconds = shortWait(received.status, received.retryAfter)
    if (seconds === undefined || asked >= retries) return received
    await pause(seconds * 1000, signal)
  }
}
