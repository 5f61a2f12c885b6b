/// <reference lib="webworker" />
/** The engine beside the page: typing never waits for it, and nothing of what is typed is sent anywhere. */
import { compute, explainPayment } from "./book/compute.ts"
import type { Asked, Told } from "./messages.ts"

const tell = (told: Told): void => self.postMessage(told)

self.onmessage = ({ data: { draft, id, now, question } }: MessageEvent<Asked>) =>
  question === undefined
    ? tell({ id, outcome: compute(draft, new Date(now)) })
    : tell({ id, explanation: explainPayment(draft, question, new Date(now)) })
