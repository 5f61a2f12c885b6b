/// <reference lib="dom" />
/**
 * The script of the page of a record: shows whether a pasted answer is the recorded one, whether
 * the record is in the log, and who saw the log. The answer stays in the page. Text is shown as
 * text, never as HTML. Bundled with the verifier by `npm run x -- generate`.
 */
import { noteOf, openReceipt, type Receipt } from "../proof/checkpoint.ts"
import { type AnswerRecord, checkAnswer, readRecord } from "../proof/commitment.ts"
import { parsePolicy, witnessedBy } from "../proof/policy.ts"

const { answerHash = "", answerId = "" } = document.getElementById("record")!.dataset
const record: AnswerRecord = { answerId, answerHash }

const say = (id: string, isGood: boolean, text: string): void => {
  const place = document.getElementById(id)!
  place.className = isGood ? "good" : "bad"
  place.textContent = text
}

/** The id that the text itself names, if it is an answer. */
const claimedId = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { provenance: { answerId: string } }).provenance.answerId
  } catch {
    return undefined
  }
}

const refusal = (text: string, reason: string): string => {
  const claimed = claimedId(text)
  if (claimed === undefined) return "This is no answer of this service. Paste all of it, as it was received, in JSON."
  if (claimed !== answerId) return `This answer names another record, ${claimed}: open its own page.`
  return `This is not the recorded answer: ${reason}.`
}

const checkText = async (answer: HTMLTextAreaElement): Promise<void> => {
  const text = answer.value
  if (text.trim() === "") return say("figures", true, "")
  const reason = await checkAnswer(text, record).then(
    () => undefined,
    (cause: Error) => cause.message
  )
  // Another text may have been pasted meanwhile.
  if (answer.value !== text) return
  if (reason === undefined)
    say("figures", true, "This is the recorded answer: each figure and each word is as it was recorded.")
  else say("figures", false, refusal(text, reason))
}

const TRIES = 5
const SECOND = 1000

/** What this service has at the path. A receipt may take it a moment (503). */
const load = async (path: string): Promise<string> => {
  for (let left = TRIES; ; left--) {
    const response = await fetch(path)
    if (response.ok) return response.text()
    if (response.status !== 503 || left === 1) throw new Error(`${path} has status ${response.status}`)
    await new Promise((resolve) => setTimeout(resolve, SECOND))
  }
}

/** Whether what the receipt proves is the record that this page shows. */
const isShown = ({ record: text }: Receipt): boolean => {
  const proven = readRecord(text)
  return proven.answerId === answerId && proven.answerHash === answerHash
}

const NAMED_HERE = "These witnesses are named by this service; to decide for yourself, use a policy of your own."

/** Shows who saw the checkpoint, under the service's policy or the reader's own. */
const showWitnesses = async (note: string, text: string, isOwn: boolean): Promise<void> => {
  const policy = await parsePolicy(text)
  const { missing, seen } = await witnessedBy(note, policy)
  const isFulfilled = missing.length === 0
  if (policy.witnesses.size === 0 && !isOwn) return say("witnesses", true, "")
  const saw = seen.map(({ at, name }) => `${name} at ${at.toISOString()}`).join(", ")
  const who = saw === "" ? "No witness of the policy has seen this log yet." : `This log was seen by ${saw}.`
  const needed = isFulfilled ? "That is enough for the policy." : `The policy also needs ${missing.join(", ")}.`
  const later = isFulfilled ? NAMED_HERE : `Look again in a minute. ${NAMED_HERE}`
  say("witnesses", isFulfilled || !isOwn, `${who} ${needed}${isOwn ? "" : ` ${later}`}`)
}

/** Throws nothing: a failure here takes nothing from what the log confirms. */
const checkWitnesses = async (note: string): Promise<void> => {
  const named = await load("/log/policy").catch((cause: Error) => cause)
  const own = document.getElementById("policy") as HTMLTextAreaElement
  const check = async () => {
    const isOwn = own.value.trim() !== ""
    const policy = isOwn ? own.value : named
    if (policy instanceof Error) {
      const text = `The witnesses that this service names are not shown: ${policy.message}.`
      return say("witnesses", false, `${text} Load the page again, or use a policy of your own.`)
    }
    await showWitnesses(note, policy, isOwn).catch(({ message }: Error) =>
      say("witnesses", false, `Under this policy the log is not confirmed: ${message}.`)
    )
  }
  own.addEventListener("input", () => void check())
  await check()
}

const checkLog = async (): Promise<void> => {
  const [receipt, keys] = await Promise.all([load(`/v1/verify/${answerId}/receipt`), load("/log/key")])
  const opened = await openReceipt(receipt, keys.split("\n"))
  if (!isShown(opened)) throw new Error("the receipt is of another record")
  const { checkpoint, index } = opened
  say("log", true, `The record is entry ${index} of the ${checkpoint.size} in the signed log ${checkpoint.origin}.`)
  await checkWitnesses(noteOf(receipt))
}

const listen = (answer: HTMLTextAreaElement): Promise<void> => {
  answer.addEventListener("input", () => void checkText(answer))
  document.getElementById("file")!.addEventListener("change", async ({ target }) => {
    answer.value = (await (target as HTMLInputElement).files?.[0]?.text()) ?? ""
    await checkText(answer)
  })
  // A browser may have kept what was pasted before the page was loaded again.
  return checkText(answer)
}

if (isSecureContext) {
  await listen(document.getElementById("answer") as HTMLTextAreaElement)
  await checkLog().catch((cause: Error) =>
    say("log", false, `The log does not confirm the record now: ${cause.message}.`)
  )
} else {
  say("log", false, "Browsers check nothing on a page that came without https; repay verify answer.json does.")
}
