/// <reference lib="dom" />
/**
 * The script of the page of a record: shows whether a pasted answer is the recorded one, whether
 * the record is in the log, and which witnesses saw the log. The answer stays in the page. Text is
 * shown as text, never as HTML. Bundled with the verifier by `npm run x -- generate`.
 */
import { noteOf, openReceipt, type Receipt } from "../proof/checkpoint.ts"
import { type AnswerRecord, checkAnswer, readRecord } from "../proof/commitment.ts"
import { parsePolicy, witnessedBy } from "../proof/policy.ts"

const { answerHash = "", answerId = "" } = document.getElementById("record")!.dataset
const record: AnswerRecord = { answerId, answerHash }

interface Verdict {
  readonly isGood: boolean
  readonly text: string
}
const good = (text: string): Verdict => ({ isGood: true, text })
const bad = (text: string): Verdict => ({ isGood: false, text })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The number of checks begun per place. Only the newest one may show a verdict. */
const begun = new Map<string, number>()

/**
 * Shows the verdict of a check at its place. The last verdict is removed before the check. A check
 * that throws has a verdict, too.
 */
const judge = async (
  id: string,
  check: (isNewest: () => boolean) => Promise<Verdict>,
  wordsOfFailure: (reason: string) => string
): Promise<void> => {
  const place = document.getElementById(id)!
  const show = ({ isGood, text }: Verdict): void => {
    place.className = isGood ? "good" : "bad"
    place.textContent = text
  }
  const number = (begun.get(id) ?? 0) + 1
  begun.set(id, number)
  const isNewest = (): boolean => begun.get(id) === number
  show(good(""))
  const verdict = await check(isNewest).catch((cause: unknown) => bad(wordsOfFailure(reasonOf(cause))))
  if (isNewest()) show(verdict)
}

/** The id that the text itself names, if it is an answer. */
const claimedId = (text: string): string | undefined => {
  try {
    const { answerId } = (JSON.parse(text) as { readonly provenance: { readonly answerId: unknown } }).provenance
    return typeof answerId === "string" ? answerId : undefined
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

const judgeText = async (text: string): Promise<Verdict> => {
  if (text.trim() === "") return good("")
  try {
    await checkAnswer(text, record)
  } catch (cause) {
    return bad(refusal(text, reasonOf(cause)))
  }
  return good("This is the recorded answer: each figure and each word is as it was recorded.")
}

const notChecked = (reason: string): string => `This was not checked: ${reason}.`

const TRIES = 5
const SECOND = 1000

/** Fetches a path of this service. A receipt may not be ready for a moment (503). */
const load = async (path: string): Promise<string> => {
  for (let left = TRIES; ; left--) {
    const response = await fetch(path)
    if (response.ok) return response.text()
    if (response.status !== 503 || left === 1) throw new Error(`${path} has status ${response.status}`)
    await new Promise((resolve) => setTimeout(resolve, SECOND))
  }
}

/** Whether the receipt proves the record that this page shows. */
const isShown = ({ record: text }: Receipt): boolean => {
  const proven = readRecord(text)
  return proven.answerId === answerId && proven.answerHash === answerHash
}

const NAMED_HERE = "These witnesses are named by this service; to decide for yourself, use a policy of your own."

/** The witnesses of the checkpoint, under the service's policy or the reader's own. */
const judgeWitnesses = async (note: string, text: string, isOwn: boolean): Promise<Verdict> => {
  const policy = await parsePolicy(text)
  const { missing, seen } = await witnessedBy(note, policy)
  const isFulfilled = missing.length === 0
  if (policy.witnesses.size === 0 && !isOwn) return good("")
  const saw = seen.map(({ at, name }) => `${name} at ${at.toISOString()}`).join(", ")
  const who = saw === "" ? "No witness of the policy has seen this log yet." : `This log was seen by ${saw}.`
  const needed = isFulfilled ? "That is enough for the policy." : `The policy also needs ${missing.join(", ")}.`
  const later = isFulfilled ? NAMED_HERE : `Look again in a minute. ${NAMED_HERE}`
  return { isGood: isFulfilled || !isOwn, text: `${who} ${needed}${isOwn ? "" : ` ${later}`}` }
}

/** A failure here does not change the verdict about the log. */
const checkWitnesses = async (note: string): Promise<void> => {
  const named = await load("/log/policy").catch((cause: Error) => cause)
  const own = document.getElementById("policy") as HTMLTextAreaElement
  const judgePolicy = async (): Promise<Verdict> => {
    const isOwn = own.value.trim() !== ""
    const policy = isOwn ? own.value : named
    if (!(policy instanceof Error)) return judgeWitnesses(note, policy, isOwn)
    const text = `The witnesses that this service names are not shown: ${policy.message}.`
    return bad(`${text} Load the page again, or use a policy of your own.`)
  }
  const check = () =>
    judge("witnesses", judgePolicy, (reason) => `Under this policy the log is not confirmed: ${reason}.`)
  own.addEventListener("input", check)
  await check()
}

const judgeLog = async (): Promise<Verdict> => {
  const [receipt, keys] = await Promise.all([load(`/v1/verify/${answerId}/receipt`), load("/log/key")])
  const opened = await openReceipt(receipt, keys.split("\n"))
  if (!isShown(opened)) throw new Error("the receipt is of another record")
  void checkWitnesses(noteOf(receipt))
  const { checkpoint, index } = opened
  return good(`The record is entry ${index} of the ${checkpoint.size} in the signed log ${checkpoint.origin}.`)
}

const notConfirmed = (reason: string): string => `The log does not confirm the record now: ${reason}.`

if (isSecureContext) {
  const answer = document.getElementById("answer") as HTMLTextAreaElement
  const file = document.getElementById("file") as HTMLInputElement
  const judgeTyped = () => judge("figures", () => judgeText(answer.value), notChecked)
  const judgeFile = async (isNewest: () => boolean): Promise<Verdict> => {
    answer.value = ""
    const text = (await file.files?.[0]?.text()) ?? ""
    if (isNewest()) answer.value = text
    return judgeText(text)
  }
  answer.addEventListener("input", judgeTyped)
  file.addEventListener("change", () => judge("figures", judgeFile, notChecked))
  // A browser may have kept the pasted text over a reload.
  void judgeTyped()
  void judge("log", judgeLog, notConfirmed)
} else {
  const text = "Browsers check nothing on a page that came without https; repay verify answer.json does."
  void judge("log", async () => bad(text), notConfirmed)
}
