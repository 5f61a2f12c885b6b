/// <reference lib="webworker" />
/** The worker that runs the engine. Typing never waits for it, and no input is sent anywhere. */
import { compute, explainFigure } from "./book/compute.ts"
import { readFile } from "./book/file.ts"
import type { Asked, Told } from "./messages.ts"

const answerTo = (asked: Asked): Told => {
  const { id, kind } = asked
  switch (kind) {
    case "compute":
      return { kind, id, outcome: compute(asked.draft, new Date(asked.now)) }
    case "explain":
      return { kind, id, explanation: explainFigure(asked.draft, asked.question, new Date(asked.now)) }
    case "read":
      return { kind, id, reading: readFile(asked.bytes), whose: asked.whose }
  }
}

self.onmessage = ({ data }: MessageEvent<Asked>) => self.postMessage(answerTo(data))
