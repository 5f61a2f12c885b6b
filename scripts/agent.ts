/**
 * The `agent` task: five questions of an adviser, answered through the tools alone: four without a
 * key, the last with one. The program plays the model: it knows what the adviser said, and takes
 * everything else from answers. It writes the conversation to docs/generated/agent.md, with the
 * bytes that a model pays for.
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
  { loanType: "DIRECT STAFFORD UNSUBSIDIZED", principalBalance: 32_000, interestRate: 0.055, idrMonthsInRepayment: 30 },
  { loanType: "DIRECT PLUS GRADUATE", principalBalance: 40_000, interestRate: 0.07, idrMonthsInRepayment: 30 }
]
const RAP = "REPAYMENT ASSISTANCE"

interface Result {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  readonly structuredContent: Readonly<Record<string, unknown>>
}

const TEXT_LINES = 12
/** The lines of the plans, and the lowest of them. */
const PLAN_LINES = 9
const shown = (text: string, most: number): string => {
  const lines = text.split("\n")
  const more = lines.length - most
  return [...lines.slice(0, most), ...(more > 0 ? [`... and ${more} more lines`] : [])].join("\n")
}

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

/** What a tool server was asked for the page, and what that has cost. */
const converse = async (page: Array<string>, url: string, headers: Readonly<Record<string, string>>) => {
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
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: counting }))
  await client.listTools()
  const opening = received
  let calls = 0
  return {
    say: (...lines: ReadonlyArray<string>) => page.push(...lines.flatMap((line) => ["", line])),
    /** Shows the first lines of the answer's text on the page. */
    call: async (tool: string, args: object, lines = TEXT_LINES) => {
      const [sentBefore, receivedBefore] = [sent, received]
      const result = (await client.callTool({ name: tool, arguments: { ...args } })) as unknown as Result
      calls++
      const paid = `${kilobytes(sent - sentBefore)} sent, ${kilobytes(received - receivedBefore)} received`
      page.push("", `\`${tool}\`, ${paid}:`, "", block(shown(result.content[0]!.text, lines)))
      return result
    },
    total: () => ({ opening, calls, sent, received: received - opening })
  }
}

type Conversation = Awaited<ReturnType<typeof converse>>

interface Plan {
  readonly planType: string
  readonly firstPayment: number
  readonly lifetimeCost: number
}

interface Path extends Plan {
  readonly planChanges: ReadonlyArray<{ readonly from: string; readonly planType: string }>
  readonly saves: number
}

interface Plans {
  readonly plans: ReadonlyArray<Plan>
  readonly lowestLifetimeCostPlan: string
  readonly bestPath: Path | null
}

const money = (amount: number): string =>
  `$${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
const plansIn = ({ structuredContent }: Result): Plans => structuredContent as unknown as Plans
const planIn = (result: Result, name: string): Plan => {
  const plan = plansIn(result).plans.find(({ planType }) => planType === name)
  insist(plan !== undefined, `no figures of ${name}`)
  return plan!
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

type Question = readonly [question: string, answer: (talk: Conversation) => Promise<void>]

const OPEN_QUESTIONS: ReadonlyArray<Question> = [
  [
    "My client is single with one child, in North Carolina, earns 62,000 and isn't in public service. She owes 19,000 subsidized at 4.5%, 32,000 unsubsidized at 5.5% and a 40,000 Grad PLUS loan at 7%, with 30 months counted. What would she pay on each plan?",
    async ({ call, say }) => {
      const result = await call("compare_plans", { scenario: household, loans })
      const cheapest = planIn(result, plansIn(result).lowestLifetimeCostPlan)
      say(
        `**Agent:** One payment covers all three loans. Under RAP it is ${money(planIn(result, RAP).firstPayment)} a month. ${cheapest.planType} costs least in all: ${money(cheapest.firstPayment)} a month at first, ${money(cheapest.lifetimeCost)} with the tax on forgiveness.`
      )
    }
  ],
  [
    "Why is her first payment under RAP what it is?",
    async ({ call, say }) => {
      const { structuredContent } = await call("explain_payment", { scenario: { ...household, planType: RAP }, loans })
      say(
        `**Agent:** It is ${money(structuredContent["payment"] as number)}; the steps above say how, each with its rule.`
      )
    }
  ],
  [
    "She is on PAYE today. Would a switch pay off?",
    async ({ call, say }) => {
      const currentPlan = "PAY AS YOU EARN"
      const result = await call("compare_plans", { scenario: household, loans, bestPath: true, currentPlan })
      const { bestPath } = plansIn(result)
      insist(bestPath !== null, "no change of plan saves anything")
      const [change] = bestPath!.planChanges
      say(
        `**Agent:** Of the changes tried, ${change!.planType} from ${change!.from} on costs least. It saves ${money(bestPath!.saves)} over staying on ${bestPath!.planType}. It can't be undone at will, and her servicer may count other months, so she should ask for her count first.`
      )
    }
  ],
  [
    "And if she were married, filing jointly? He earns 55,000 and owes 30,000 unsubsidized at 6%, with 12 months counted.",
    async ({ call, say }) => {
      const total = (book: typeof loans) => book.reduce((sum, { principalBalance }) => sum + principalBalance, 0)
      const his = [{ ...loans[1]!, principalBalance: 30_000, interestRate: 0.06, idrMonthsInRepayment: 12 }]
      const ask = (own: number, spouse: number, book: typeof loans, others: typeof loans) =>
        call(
          "compare_plans",
          {
            scenario: {
              ...household,
              filingStatus: "MarriedFilingJointly",
              adjustedGrossIncome: own,
              spouseAdjustedGrossIncome: spouse,
              spouseFederalLoanBalance: total(others)
            },
            loans: book
          },
          PLAN_LINES
        )
      const hers = await ask(62_000, 55_000, loans, his)
      const theirs = [hers, await ask(55_000, 62_000, his, loans)]
      const [she, he] = theirs.map((result) => money(planIn(result, RAP).firstPayment))
      const [cheapest, hisCheapest] = theirs.map((result) => plansIn(result).lowestLifetimeCostPlan)
      const lowest =
        cheapest === hisCheapest ? `For both, ${cheapest} costs` : `${cheapest} for her and ${hisCheapest} for him cost`
      say(
        `**Agent:** I made one call for each spouse, with both incomes. Under RAP she pays ${she} a month and he ${he}, their shares of one joint payment. ${lowest} least in all.`
      )
    }
  ]
]

const KEYED_QUESTIONS: ReadonlyArray<Question> = [
  [
    "She stays single. Give me a record of her on plain IBR.",
    async ({ call, say }) => {
      // The plan and a rate as people say them, which a hasty model sends unchanged.
      const hasty = {
        scenario: { ...household, planType: "IBR" },
        loans: loans.map((loan, index) => (index === 2 ? { ...loan, interestRate: 7 } : loan))
      }
      const refused = await call("run_projection", hasty)
      insist(refused.isError === true, "a percentage was taken as a fraction")
      const { structuredContent } = await call("run_projection", repaired(hasty, refused))
      const { verifyUrl } = structuredContent["provenance"] as { readonly verifyUrl: string }
      say(
        `**Agent:** My first call was refused and cost nothing; I sent it again as its errors said. She pays $${structuredContent["year1MonthlyPayment"]} a month at first under ${structuredContent["planType"]}. Anyone can confirm this at ${verifyUrl}, which shows none of her data.`
      )
    }
  ]
]

const HEAD = `# A conversation of an agent

Five questions of an adviser, answered through the tools alone: four at \`/mcp/open\`, without a key,
and the last at \`/mcp\`, which records its answer. A program plays the model's side:
\`npm run x -- agent\` runs it against a new service and renews this page. The text of an answer is
what many chat programs hand to their model; the figures come a second time as an object.
`

export default async () => {
  const { base } = await service(NO_LIMITS)
  const { apiKey } = await mintOver(callerOf(base))
  const page: Array<string> = []
  const open = await converse(page, `${base}/mcp/open`, {})
  const keyed = await converse(page, `${base}/mcp`, { "x-api-key": apiKey })
  const questions = [
    ...OPEN_QUESTIONS.map((one) => [open, ...one] as const),
    ...KEYED_QUESTIONS.map((one) => [keyed, ...one] as const)
  ]
  for (const [index, [talk, question, answer]] of questions.entries())
    await step(question.slice(0, 60), async () => {
      talk.say(`## Question ${index + 1}`, `**Adviser:** ${question}`)
      await answer(talk)
    })
  const [free, recorded] = [open.total(), keyed.total()]
  const bill = `## What it cost

| what | \`/mcp/open\` | \`/mcp\` |
|---|---|---|
| the list of tools and the server's words, once a conversation | ${kilobytes(free.opening)} | ${kilobytes(recorded.opening)} |
| calls | ${free.calls} | ${recorded.calls} |
| sent | ${kilobytes(free.sent)} | ${kilobytes(recorded.sent)} |
| received, texts and figures | ${kilobytes(free.received)} | ${kilobytes(recorded.received)} |

One call was charged: the projection that was recorded.`
  writeFileSync(
    join(PROJECT, "docs", "generated", "agent.md"),
    `${HEAD}${page.join("\n").replaceAll(base, "http://127.0.0.1:8080")}\n\n${bill}\n`
  )
}
