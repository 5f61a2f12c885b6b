/// <reference lib="dom" />
/**
 * The page's end of its worker. A worker that dies or does not answer is replaced. For each kind of
 * question, only the answer to the latest one counts.
 */
import type { Asked, Told } from "./messages.ts"

type Without<T> = T extends unknown ? Omit<T, "id"> : never
/** A question, before it gets its number. */
type Wanted = Without<Asked>

/** In a calculator that was saved as a file, the worker's script is in the page. A file's worker can't be a module. */
const script = document.getElementById("worker")?.textContent
const newWorker = (): Worker =>
  script === undefined
    ? new Worker("/worker.js", { type: "module" })
    : new Worker(URL.createObjectURL(new Blob(['"use strict";', script], { type: "text/javascript" })))

/** Far above the tenth of a second that a hundred loans under every plan take. */
const PATIENCE_MILLIS = 10_000

export class Computing {
  private readonly hear: (told: Told) => void
  private readonly fail: () => void
  private readonly asked: Record<Asked["kind"], number> = { compute: 0, explain: 0, read: 0 }
  private worker: Worker | undefined
  private patience: ReturnType<typeof setTimeout> | undefined

  constructor(hear: (told: Told) => void, fail: () => void) {
    this.hear = hear
    this.fail = fail
  }

  ask(wanted: Wanted): void {
    this.worker ??= this.started()
    this.patience ??= setTimeout(() => this.end(), PATIENCE_MILLIS)
    this.worker.postMessage({ ...wanted, id: ++this.asked[wanted.kind] })
  }

  private started(): Worker {
    const worker = newWorker()
    worker.onerror = () => this.end()
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      clearTimeout(this.patience)
      this.patience = undefined
      if (data.id === this.asked[data.kind]) this.hear(data)
    }
    return worker
  }

  private end(): void {
    clearTimeout(this.patience)
    this.patience = undefined
    this.worker?.terminate()
    this.worker = undefined
    this.fail()
  }
}
