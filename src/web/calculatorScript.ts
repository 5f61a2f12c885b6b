/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The script of the start page: sends the form to the keyless calculator and shows the plans. The function is served as
 * its own source text, so it can use nothing outside its body; it inserts values as text only, never as HTML.
 */
import type { LoanCalcPlan, LoanCalcResult } from "../../schema/calculator.ts"

/** The members of a problem document that are shown. */
interface Shown {
  readonly title?: string
  readonly detail?: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
}

function calculator(): void {
  const form = document.querySelector("form")!
  const output = document.querySelector("#result")!
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })

  const element = (tag: string, text = "", className = ""): HTMLElement => {
    const made = document.createElement(tag)
    made.textContent = text
    if (className !== "") made.className = className
    return made
  }

  /** The request of the form: numbers as numbers, an empty field left out. */
  const requestOf = (data: FormData): Record<string, unknown> => {
    const request: Record<string, unknown> = {}
    for (const [name, value] of data) {
      const text = String(value).trim()
      if (text === "") continue
      const kind = form.querySelector<HTMLInputElement>(`[name="${name}"]`)!.type
      request[name] = kind === "checkbox" ? true : kind === "number" ? Number(text) : text
    }
    return request
  }

  /** The time up to and including the month of this index, in years and months. */
  const lengthOf = (month: number): string => {
    const rest = (month + 1) % 12
    const years = `${(month + 1 - rest) / 12} years`
    return rest === 0 ? years : `${years} ${rest} months`
  }

  const endOf = (plan: LoanCalcPlan): string =>
    plan.forgivenessAtMonth === null
      ? `paid off after ${lengthOf(plan.monthsToPayoff ?? 0)}`
      : `forgiven after ${lengthOf(plan.forgivenessAtMonth)}`

  const rowOf = (plan: LoanCalcPlan, result: LoanCalcResult, most: number): HTMLElement => {
    const row = element("tr")
    const name = element("th", plan.label)
    name.setAttribute("scope", "row")
    if (plan.plan === result.lowestLifetimeCostPlan) name.append(element("span", "lowest cost", "mark"))
    if (plan.plan === result.lowestMonthlyPlan) name.append(element("span", "lowest payment", "mark"))
    const bar = element("meter") as HTMLMeterElement
    bar.max = most
    bar.value = plan.lifetimeCost
    const cost = element("td", money.format(plan.lifetimeCost))
    cost.append(bar)
    row.append(name, element("td", money.format(plan.monthlyPayment)), element("td", money.format(plan.totalPaid)))
    row.append(element("td", money.format(plan.forgivenBalance)), element("td", money.format(plan.taxOnForgiveness)))
    row.append(cost, element("td", endOf(plan)))
    return row
  }

  const tableOf = (result: LoanCalcResult): HTMLElement => {
    const table = element("table")
    const head = element("tr")
    for (const title of [
      "Plan",
      "First payment",
      "Total paid",
      "Forgiven",
      "Tax on forgiveness",
      "Cost: paid plus tax",
      "Ends"
    ]) {
      const cell = element("th", title)
      cell.setAttribute("scope", "col")
      head.append(cell)
    }
    const most = Math.max(1, ...result.plans.map((plan) => plan.lifetimeCost))
    table.append(element("caption", `Computed ${result.asOf}`), head)
    for (const plan of result.plans) table.append(rowOf(plan, result, most))
    const frame = element("div", "", "wide")
    frame.append(table)
    return frame
  }

  const listOf = (title: string, items: ReadonlyArray<string>): HTMLElement => {
    const section = element("section")
    const list = element("ul")
    for (const item of items) list.append(element("li", item))
    section.append(element("h2", title), list)
    return section
  }

  const showProblem = (problem: Shown): void => {
    const lines = Object.entries(problem.errors ?? {}).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`)
    )
    output.replaceChildren(
      listOf(problem.title ?? "The request failed", lines.length > 0 ? lines : [problem.detail ?? ""])
    )
  }

  const show = (result: LoanCalcResult): void => {
    output.replaceChildren(
      tableOf(result),
      listOf(
        "Excluded plans",
        result.excludedPlans.map((plan) => `${plan.label}: ${plan.reason}`)
      ),
      listOf("Assumptions", result.assumptions)
    )
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    output.setAttribute("aria-busy", "true")
    try {
      const response = await fetch("/v1/calculators/loan", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(requestOf(new FormData(form)))
      })
      const body = await response.json()
      if (response.ok) show(body)
      else showProblem(body)
    } catch {
      showProblem({ title: "The service did not answer", detail: "Try again in a moment." })
    } finally {
      output.removeAttribute("aria-busy")
    }
  })
}

export const calculatorScript = `(${calculator.toString()})()\n`
