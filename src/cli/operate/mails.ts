/** `repay mails`: lists waiting and abandoned mails without address, text or key. Sends nothing. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { helpText } from "../helpText.ts"
import { dataCommand, say } from "../output.ts"
import { MAILS } from "../views/lists.ts"
import { allFlag, sayIfFull, showPages } from "./pagination.ts"
import { READS, withReader } from "./reader.ts"

export const mailsCommand = dataCommand(
  "mails",
  { all: allFlag },
  Effect.fn("repay.mails")(function* (input, format) {
    const { listMails, mailQueueDepth } = yield* Effect.promise(() => import("../../services/accounts/mailList.ts"))
    const { MAX_LISTED } = yield* Effect.promise(() => import("../../services/pagination.ts"))
    const limit = input.all ? null : MAX_LISTED
    yield* withReader(
      Effect.fnUntraced(function* ({ settings, sql }) {
        const backlog = yield* mailQueueDepth(sql)
        if (settings.smtpUrl === null && backlog.waiting > 0) yield* say("SMTP_URL is not set here: nothing is sent.")
        yield* showPages(format, {
          name: "mails",
          before: { ...backlog },
          columns: MAILS,
          none: "No mail waits, and none was given up.",
          pages: (take) => Effect.tap(listMails(sql, limit, take), (count) => sayIfFull(count, limit, "first"))
        })
      })
    )
  })
).pipe(
  Command.withDescription(
    helpText(
      "List the mails that wait, with the attempts so far and the time of the next one, and then those that were given up because no mail server took them within three days. If the mail with a production key was given up, `repay subscriptions allow` mails a key again.",
      READS
    )
  ),
  Command.withExamples([{ command: "repay mails --json", description: "For a script" }])
)
