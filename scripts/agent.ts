/**
 * The `agent` task: five questions of an adviser, answered through the tools alone. The program
 * plays the model: it knows what the adviser said, and takes everything else from answers. It writes
 * the conversation to docs/generated/agent.md, with the bytes that a model pays for.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { insist, PROJECT, service, step } from "./harness.ts"

const household = {
  adjustedGrossIncome: 62_000,
  filingStatus: "Single",
  dependents: 1,
  state: "NC",
  workingTowardsPslf: false
}
const loans = [
  { loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 19_000, interestRate: 0.045, idrMonthsInRepayment: 30 },
  { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 41_000, interestRate: 0.0654, idrMonthsInRepayment: 30 }
]

interface Result {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  readonly structuredContent: Readonly<Record<string, unknown>>
}

const TEXT_LINES = 14
const shown = (text: string): string => {
  const lines = text.split("\n")
  const more = lines.length - TEXT_LINES
  return [...lines.slice(0, TEXT_LINES), ...(more > 0 ? [`... and ${more} more lines`] : [])].join("\n")
}

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

/** A conversation with a tool server, and what it has cost. */
const converse = async (url: string, key: string) => {
  const page: Array<string> = []
  let received = 0
  let sent = 0
  const counting: typeof fetch = async (target, init) => {
    sent += Buffer.byteLength(String(init?.body ?? ""))
    const response = await fetch(target, init)
    const text = await response.text()
    received += Buffer.byteLength(text)
    return new Response(text === "" ? null : text, response)
  }
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } })
  const requestInit = { headers: { "x-api-key": key } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: counting }))
  await client.listTools()
  const opening = received
  let calls = 0
  return {
    say: (...lines: ReadonlyArray<string>) => page.push(...lines.flatMap((line) => ["", line])),
    call: async (tool: string, args: object) => {
      const [sentBefore, receivedBefore] = [sent, received]
      const result = (await client.callTool({ name: tool, arguments: { ...args } })) as unknown as Result
      calls++
      const paid = `${kilobytes(sent - sentBefore)} sent, ${kilobytes(received - receivedBefore)} received`
      page.push("", `\`${tool}\`, ${paid}:`, "", block(shown(result.content[0]!.text)))
      return result
    },
    page: () => page.join("\n"),
    total: () => ({ opening, calls, sent, received: received - opening })
  }
}

type Conversation = Awaited<ReturnType<typeof converse>>

/** The plans that every loan can take. */
const commonPlans = ({ structuredContent }: Result): ReadonlyArray<string> => {
  const each = structuredContent["loans"] as ReadonlyArray<{ readonly eligiblePlanTypes: ReadonlyArray<string> }>
  return each[0]!.eligiblePlanTypes.filter((plan) => each.every((one) => one.eligiblePlanTypes.includes(plan)))
}

/** Follows a refusal as a model would: each error names a field and what to send there. */
const repaired = (args: { readonly scenario: object; readonly loans: ReadonlyArray<object> }, result: Result) => {
  const { errors } = JSON.parse(result.content[0]!.text) as { readonly errors: Record<string, ReadonlyArray<string>> }
  const sendFor = (field: string, form: RegExp) => form.exec(errors[field]?.[0] ?? "")?.[1]
  const planType = sendFor("scenario.planType", /send "([^"]+)"/)
  return {
    scenario: { ...args.scenario, ...(planType === undefined ? {} : { planType }) },
    loans: args.loans.map((loan, index) => {
      const rate = sendFor(`loans[${index}].interestRate`, /; send ([\d.]+)$/)
      return rate === undefined ? loan : { ...loan, interestRate: Number(rate) }
    })
  }
}

const QUESTIONS: ReadonlyArray<readonly [question: string, answer: (talk: Conversation) => Promise<void>]> = [
  [
    "My client is single with one child, in North Carolina, and earns 62,000. She owes 19,000 subsidized at 4.5% and 41,000 unsubsidized at 6.54%, with 30 months counted, and isn't in public service. Which plans can she take, and which costs least?",
    async ({ call, say }) => {
      const plans = commonPlans(await call("get_eligible_plans", { loans }))
      const arms = plans.map((planType) => ({ scenario: { ...household, planType, label: planType }, loans }))
      const { structuredContent } = await call("compare_scenarios", { arms })
      say(`**Agent:** She can take ${plans.length} plans. ${structuredContent["lowestCostLabel"]} costs least in all.`)
    }
  ],
  [
    "Why is her first payment under RAP what it is?",
    async ({ call, say }) => {
      const scenario = { ...household, planType: "REPAYMENT ASSISTANCE" }
      const { structuredContent } = await call("explain_payment", { scenario, loans })
      say(`**Agent:** It is $${structuredContent["payment"]}; the steps above say how, each with its rule.`)
    }
  ],
  [
    "Show me how her debt moves under RAP, year by year.",
    async ({ call, say }) => {
      const scenario = { ...household, planType: "REPAYMENT ASSISTANCE" }
      const { structuredContent } = await call("run_projection", { scenario, loans, includeYearly: true })
      const years = structuredContent["yearly"] as ReadonlyArray<{ readonly principalBalance: number }>
      say(
        `**Agent:** It takes ${years.length - 1} years; at the end ${years.at(-1)!.principalBalance} dollars are left.`
      )
    }
  ],
  [
    "She marries in two years; he earns 55,000. Should they file together or apart, under RAP?",
    async ({ call, say }) => {
      const married = (filingStatus: string) => ({
        scenario: {
          ...household,
          planType: "REPAYMENT ASSISTANCE",
          label: filingStatus,
          changes: [{ fromYear: 3, filingStatus, spouseAdjustedGrossIncome: 55_000 }]
        },
        loans
      })
      const arms = ["MarriedFilingJointly", "MarriedFilingSeparately"].map(married)
      const { structuredContent } = await call("compare_scenarios", { arms })
      say(
        `**Agent:** ${structuredContent["lowestCostLabel"]} costs less over the loan. Their tax on wages is not in it.`
      )
    }
  ],
  [
    "And on plain IBR, if all of it were one consolidation at 6.5?",
    async ({ call, say }) => {
      // The rate as the adviser says it, which a hasty model sends unchanged.
      const hasty = {
        scenario: { ...household, planType: "IBR" },
        loans: [{ loanType: "DIRECT CONSOLIDATED UNSUBSIDIZED", principalBalance: 60_000, interestRate: 6.5 }]
      }
      const refused = await call("run_projection", hasty)
      insist(refused.isError === true, "a percentage was taken as a fraction")
      const { structuredContent } = await call("run_projection", repaired(hasty, refused))
      say(
        `**Agent:** My first call was refused and cost nothing. Sent again as it said: $${structuredContent["year1MonthlyPayment"]} a month at first under ${structuredContent["planType"]}. No counted months are in it: tell me the count that the consolidation keeps.`
      )
    }
  ]
]

const HEAD = `# A conversation of an agent

Five questions of an adviser, answered through the tools of \`/mcp\` alone. A program plays the model's
side: \`npm run x -- agent\` runs it against a new service and renews this page. The text of an answer
is what many chat programs hand to their model; the figures come a second time as an object.
`

export default async () => {
  const { base } = await service(NO_LIMITS)
  const { apiKey } = await mintOver(callerOf(base))
  const talk = await converse(`${base}/mcp`, apiKey)
  for (const [index, [question, answer]] of QUESTIONS.entries())
    await step(question.slice(0, 60), async () => {
      talk.say(`## Question ${index + 1}`, `**Adviser:** ${question}`)
      await answer(talk)
    })
  const { calls, opening, received, sent } = talk.total()
  const bill = `## What it cost

| what | bytes |
|---|---|
| the list of tools and the server's words, once a conversation | ${kilobytes(opening)} |
| ${calls} calls sent | ${kilobytes(sent)} |
| ${calls} answers received, texts and figures | ${kilobytes(received)} |

Of the calls, the explanation and the refused one were free; the others were charged one call each.`
  writeFileSync(
    join(PROJECT, "docs", "generated", "agent.md"),
    `${HEAD}${talk.page().replaceAll(base, "http://127.0.0.1:8080")}\n\n${bill}\n`
  )
}
