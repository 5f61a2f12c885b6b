/**
 * The services below HTTP as a process that can crash and restart on the same database. Its
 * connections fail as the test says, and the test plays the mail server. Asserts nothing.
 */
import { Effect, Exit, Layer, Option, type Redacted, References, Scope } from "effect"
import { Deadlines } from "../../src/database/deadline.ts"
import { Engine } from "../../src/engine/Engine.ts"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { Mailer, type SendMail } from "../../src/services/accounts/Mailer.ts"
import { Outbox } from "../../src/services/accounts/Outbox.ts"
import { Answers } from "../../src/services/answers/Answers.ts"
import { servicesLayer } from "../../src/services/index.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { Faults, faultyDatabase } from "./faults.ts"
import { NO_ADDRESS_LIMITS, PATIENT, testConfig } from "./settings.ts"

interface MortalOptions {
  /** Address of a migrated database. */
  readonly url: Redacted.Redacted<string>
  readonly send: SendMail
  readonly variables?: Readonly<Record<string, string>>
}

const layerOf = ({ send, url, variables = {} }: MortalOptions, faults: Faults) =>
  Layer.mergeAll(Answers.layer, Outbox.layer, Sequencer.layer, Administration.layer).pipe(
    Layer.provideMerge(servicesLayer),
    Layer.provide(Engine.layer),
    Layer.provide(Layer.succeed(Mailer, { send: Option.some(send) })),
    Layer.provideMerge(faultyDatabase(url, faults)),
    Layer.provideMerge(testConfig({ ...NO_ADDRESS_LIMITS, ...variables })),
    Layer.provideMerge(Layer.succeed(Deadlines, PATIENT)),
    // Thousands of injected failures would flood the log.
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

export type MortalServices = Layer.Success<ReturnType<typeof layerOf>>

const start = async (options: MortalOptions) => {
  const faults = new Faults()
  const scope = Scope.makeUnsafe()
  // Built on the real clock, which the connection pool needs even if the work uses a test clock.
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.fresh(layerOf(options, faults)), scope))
  return { context, faults, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export class Mortal {
  private readonly options: MortalOptions
  private life: Awaited<ReturnType<typeof start>>

  private constructor(options: MortalOptions, life: Awaited<ReturnType<typeof start>>) {
    this.options = options
    this.life = life
  }

  static async begin(options: MortalOptions): Promise<Mortal> {
    return new Mortal(options, await start(options))
  }

  get faults(): Faults {
    return this.life.faults
  }

  run<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, MortalServices>> {
    return Effect.suspend(() => Effect.provideContext(work, this.life.context))
  }

  /** Replaces the process by a new one without any in-memory state. */
  async restart(): Promise<void> {
    await this.end()
    this.life = await start(this.options)
  }

  end(): Promise<void> {
    return this.life.end()
  }
}
