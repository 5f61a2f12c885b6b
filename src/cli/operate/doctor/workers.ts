/** Checks of the background workers, the log of records and mail. Nothing is signed or sent. */
import { Clock, Effect } from "effect"
import type { Settings } from "../../../platform/config.ts"
import { greetMailServer, mailQueueDepth } from "../../../services/accounts/index.ts"
import {
  checkLogLine,
  LogKeys,
  logHead,
  MAX_COUNTED_WAITING,
  ownPolicy,
  type SignedBy,
  signerOf
} from "../../../services/log/index.ts"
import { counted } from "../../views/text.ts"
import { examine, ok, skipped, type Verdict, warning, wrong } from "./finding.ts"
import { problemsIn } from "./settings.ts"

const MILLIS_PER_MINUTE = 60_000
/**
 * Records are entered within seconds. An older one means that no service runs, or that it is stuck.
 */
const LOG_PATIENCE_MILLIS = MILLIS_PER_MINUTE
/** The first attempts are only minutes apart. */
const MAIL_PATIENCE_MILLIS = 60 * MILLIS_PER_MINUTE

const MINUTES_PER_HOUR = 60
const HOURS_PER_DAY = 24

/** In minutes up to 2 hours, in hours up to 2 days, then in days. */
const ago = (since: Date | null, now: number): string => {
  if (since === null) return "never"
  const minutes = Math.max(0, Math.round((now - since.getTime()) / MILLIS_PER_MINUTE))
  const hours = Math.round(minutes / MINUTES_PER_HOUR)
  if (hours <= 2) return `${minutes} min ago`
  return hours <= 2 * HOURS_PER_DAY ? `${hours} h ago` : `${Math.round(hours / HOURS_PER_DAY)} days ago`
}

const log = Effect.gen(function* () {
  const head = yield* logHead
  const now = yield* Clock.currentTimeMillis
  const entered = head.size === 0 ? "no entry yet" : `${head.size} entered, the newest ${ago(head.newestAt, now)}`
  const detail = `${entered}; ${head.waiting}${head.waiting === MAX_COUNTED_WAITING ? " or more" : ""} waiting`
  const isLate = head.waitingSince !== null && now - head.waitingSince.getTime() > LOG_PATIENCE_MILLIS
  return isLate
    ? wrong(
        `${detail} since ${ago(head.waitingSince, now)}`,
        "start a service; if one runs, look for ERROR in its log, and run repay audit"
      )
    : ok(detail)
})

const SIGNED: Readonly<Record<SignedBy, Verdict>> = {
  "nobody yet": ok("a key is set, and nothing is signed yet"),
  "the present key": ok("LOG_SIGNING_KEY is the one that signed last"),
  "the key before": ok("LOG_SIGNING_KEY_PREVIOUS or LOG_KEY_LOST signed last; LOG_SIGNING_KEY signs next"),
  "another key": wrong(
    "another key signed the last checkpoint, so this service signs nothing",
    "set LOG_SIGNING_KEY to that key; if it is lost, see LOG_KEY_LOST in docs/backup.md"
  ),
  "no key is configured": wrong("no key to sign with", "set LOG_SIGNING_KEY to 64 hex digits: openssl rand -hex 32")
}

const signer = Effect.gen(function* () {
  return SIGNED[yield* signerOf(yield* logHead)]
})

const witnesses = Effect.gen(function* () {
  const policy = yield* ownPolicy
  if (policy === null) return skipped("LOG_WITNESSES is not set: no witness is asked")
  return yield* checkLogLine(policy).pipe(
    Effect.as(ok(`${counted(policy.witnesses.size, "witness", "witnesses")} named, quorum ${policy.quorum}`)),
    Effect.catchTag("ConfigProblems", ({ message }) => Effect.succeed(wrong(message, "correct it: no service starts")))
  )
})

const backlog = Effect.fnUntraced(function* ({ smtpUrl }: Settings) {
  const { givenUp, oldestAt, tried, waiting } = yield* mailQueueDepth
  const now = yield* Clock.currentTimeMillis
  const since = waiting === 0 ? "" : `, the oldest queued ${ago(oldestAt, now)}, ${tried} tried before`
  const detail = `${counted(waiting, "mail")} waiting${since}; ${givenUp} given up`
  const isLate = oldestAt !== null && now - oldestAt.getTime() > MAIL_PATIENCE_MILLIS
  if (smtpUrl === null && waiting > 0) return warning(detail, "set SMTP_URL and MAIL_FROM to send them")
  return isLate
    ? wrong(detail, "run repay mails, and check that the service runs and the mail server answers")
    : ok(detail)
})

export const examineBackground = (settings: Settings) =>
  Effect.all([
    examine("log", log),
    examine("log key", signer),
    examine("witnesses", witnesses),
    examine("outbox", backlog(settings))
  ]).pipe(Effect.provide(LogKeys.layer))

const greeted = ({ smtpUrl }: Settings) =>
  smtpUrl === null
    ? Effect.succeed(skipped("SMTP_URL is not set: mails wait in the outbox"))
    : Effect.match(greetMailServer(smtpUrl), {
        onFailure: ({ reason }) =>
          wrong(`the mail server does not answer (${reason})`, "check SMTP_URL and the network between"),
        onSuccess: () => ok("the mail server answers and accepts this service")
      })

export const examineMail = Effect.fnUntraced(function* (settings: Settings) {
  const problems = problemsIn(settings, "mail").map((verdict) => ({ check: "mail", ...verdict }))
  return [...problems, yield* examine("mail", greeted(settings))]
})
