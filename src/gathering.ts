/**
 * What the supervisor asks of its workers, and their answers: what each has measured, and what keeps it from serving. A
 * worker that does not answer in time holds nobody up: what it had counted when it was last heard is counted on, and so is
 * what those had counted that have ended since, so that no counter ever goes back. Starts and ends no worker.
 */
import cluster, { type Worker } from "node:cluster"
import { Effect, Layer, Metric } from "effect"
import { addedUp, isGauge, labelled, type Measured, type Measurement } from "./measurements.ts"

/** For the answer of a worker. Prometheus itself waits for 10 seconds. */
const ANSWER_MILLIS = 2000
/** A worker that owes so many answers is asked nothing more until it has given one. */
const MOST_OWED = 8

const replacements = Metric.counter("service_worker_replacements_total", {
  description: "Workers that died and were replaced.",
  incremental: true
})
const answering = Metric.gauge("service_workers_answering", {
  description: "Processes that serve calls and have told what they measured just now."
})
const configured = Metric.gauge("service_workers_configured", { description: "Processes that are to serve calls." })

/** What a process is asked. */
type Topic = "measurements" | "obstacle"

interface Question {
  readonly question: Topic
  readonly id: number
}

/** What a process says: `null` for no obstacle. */
interface Answers {
  readonly measurements: ReadonlyArray<Measurement>
  readonly obstacle: string | null
}

type Answer = { readonly id: number } & Partial<Answers>

/** How a process answers. */
export type Answering<R> = { readonly [T in Topic]: Effect.Effect<Answers[T], never, R> }

const isQuestion = (message: unknown): message is Question =>
  typeof message === "object" && message !== null && "question" in message

const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "id" in message

/** In a worker: answers the supervisor for as long as its scope is open. */
export const answeringSupervisor = <R>(answers: Answering<R>): Layer.Layer<never, never, R> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const run = Effect.runForkWith(yield* Effect.context<R>())
      const hear = (message: unknown) => {
        if (!isQuestion(message)) return
        const { id, question } = message
        const answer: Effect.Effect<Answers[Topic], never, R> = answers[question]
        run(Effect.map(answer, (said) => cluster.worker?.send({ id, [question]: said })))
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("message", hear)),
        () => Effect.sync(() => process.off("message", hear))
      )
    })
  )

const counts = (measurements: ReadonlyArray<Measurement>) => measurements.filter((one) => !isGauge(one))

/** A worker that is up, and what it has said. */
const makeMember = (worker: Worker, place: number) => {
  const asked = new Map<number, (answer: Answer | null) => void>()
  let last: ReadonlyArray<Measurement> = []
  let nextId = 0
  let owed = 0
  const hear = (message: unknown): void => {
    if (!isAnswer(message)) return
    owed--
    if (message.measurements !== undefined) last = message.measurements
    const heard = asked.get(message.id)
    asked.delete(message.id)
    heard?.(message)
  }
  worker.on("message", hear)
  return {
    place: String(place),
    /** What it had measured when it was last heard. */
    last: () => last,
    /** null: it does not answer. */
    ask: (question: Topic): Effect.Effect<Answer | null> =>
      Effect.callback<Answer | null>((resume) => {
        if (owed >= MOST_OWED) return resume(Effect.succeed(null))
        const id = nextId++
        owed++
        asked.set(id, (answer) => resume(Effect.succeed(answer)))
        worker.send({ question, id } satisfies Question, (error) => {
          if (error !== null) resume(Effect.succeed(null))
        })
        return Effect.sync(() => asked.delete(id))
      }).pipe(Effect.timeoutOrElse({ duration: ANSWER_MILLIS, orElse: () => Effect.succeed(null) })),
    /** It has ended: nobody waits for it any more, and nothing that it may still have said is heard. */
    end: (): void => {
      worker.off("message", hear)
      for (const answer of asked.values()) answer(null)
    }
  }
}

type Member = ReturnType<typeof makeMember>

const askAll = (members: Iterable<Member>, question: Topic) =>
  Effect.forEach(members, (member) => Effect.map(member.ask(question), (answer) => ({ member, answer })), {
    concurrency: "unbounded"
  })

/** Why some worker cannot serve keyed calls; one that does not answer just now is busy, unless none does. */
const obstacleOf = Effect.fnUntraced(function* (members: ReadonlyMap<Worker, Member>) {
  const answers = yield* askAll(members.values(), "obstacle")
  if (answers.length === 0) return "no worker is up"
  const heard = answers.flatMap(({ answer }) => (answer === null ? [] : [answer.obstacle ?? null]))
  return heard.length === 0 ? "no worker answers" : (heard.find((reason) => reason !== null) ?? null)
})

/** What the members have measured that are there once all were asked. The gauges of one that does not answer are left out. */
const measuredBy = Effect.fnUntraced(function* (members: ReadonlyMap<Worker, Member>) {
  const answers = yield* askAll(members.values(), "measurements")
  const heard = new Set(answers.filter(({ answer }) => answer !== null).map(({ member }) => member))
  yield* Metric.update(answering, heard.size)
  return [...members.values()].map((member): Measured => {
    const last = member.last()
    return { worker: member.place, measurements: heard.has(member) ? last : counts(last) }
  })
})

/** The workers of this supervisor, `workers` of them when all are up. */
export const makeGathering = (workers: number) => {
  const members = new Map<Worker, Member>()
  let gone: ReadonlyArray<Measurement> = []
  return {
    /** A worker is up, at this place among them. */
    join: (worker: Worker, place: number): void => void members.set(worker, makeMember(worker, place)),
    /** It has ended. What it has counted since it was last heard nobody knows. */
    leave: (worker: Worker): Effect.Effect<void> => {
      const member = members.get(worker)
      if (member === undefined) return Effect.void
      members.delete(worker)
      gone = addedUp([...gone, ...counts(member.last())])
      // Last: who waited for its answer goes on at once, and counts what is gone.
      member.end()
      return Metric.update(replacements, 1)
    },
    /** What all workers and this process have measured. */
    measurements: Effect.gen(function* () {
      const told = yield* measuredBy(members)
      yield* Metric.update(configured, workers)
      yield* Metric.value(replacements)
      const own: Measured = { worker: "supervisor", measurements: yield* Metric.snapshot }
      return addedUp([...gone, ...[...told, own].flatMap(labelled)])
    }),
    obstacle: Effect.suspend(() => obstacleOf(members))
  }
}

export type Gathering = ReturnType<typeof makeGathering>

/** What a process that serves alone has measured. */
export const measuredAlone: Effect.Effect<ReadonlyArray<Measurement>> = Effect.gen(function* () {
  yield* Metric.update(answering, 1)
  yield* Metric.update(configured, 1)
  yield* Metric.value(replacements)
  return yield* Metric.snapshot
})
