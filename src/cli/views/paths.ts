/** The best paths as text: one line each, and the best. */
import { fromCents, toCents } from "../../engine/index.ts"
import { month, wholeDollars } from "../../messages/figures.ts"
import { bestPathSentence } from "../../messages/paths.ts"
import type { PathAnswer, PathsAnswer } from "../../services/answers/local.ts"
import { shortPlanName } from "../calculate/scenarioFlags.ts"
import type { Screen } from "../output.ts"
import { briefProvenance } from "./provenance.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { wrap } from "./text.ts"

/** Paths that are shown besides the plans alone; JSON has the others. */
const MAX_SAVING = 8

const changeOf = ({ planChanges }: PathAnswer) => planChanges[0]

const savedWords = (dollars: number): string => (dollars > 0 ? wholeDollars(dollars) : "-")

/** Short names of plans and whole dollars, to save width. */
const columnsFor = (without: PathAnswer): ReadonlyArray<Column<PathAnswer>> => [
  { title: "Plan", cell: ({ planType }) => shortPlanName(planType ?? "") },
  numbers("Payment", ({ year1MonthlyPayment }) => wholeDollars(year1MonthlyPayment)),
  { title: "Change", cell: (path) => (changeOf(path) === undefined ? "-" : month(`${changeOf(path)!.from}-01`)) },
  { title: "To", cell: (path) => shortPlanName(changeOf(path)?.planType ?? "-") },
  numbers("Payment", ({ paymentAfterChange: paid }) => (paid === null ? "-" : wholeDollars(paid)), 1),
  numbers("Ends", ({ payoffOrForgivenessDate: end }) => month(end!), 2),
  numbers(without.presentValue === undefined ? "Total" : "Worth now", ({ cost }) => wholeDollars(cost)),
  numbers("Saves", ({ cost }) => savedWords(fromCents(toCents(without.cost) - toCents(cost))))
]

export const pathsView =
  ({ bestWithoutChange, paths, projected, provenance }: PathsAnswer) =>
  (screen: Screen): string => {
    const isAlone = ({ planChanges }: PathAnswer) => planChanges.length === 0
    const saving = paths.filter(({ cost }) => toCents(cost) < toCents(bestWithoutChange.cost)).slice(0, MAX_SAVING)
    // A plan that has ended must be left, so every path is a choice.
    const rows = isAlone(bestWithoutChange) ? paths.filter((path) => isAlone(path) || saving.includes(path)) : paths
    const sentence = bestPathSentence(paths[0]!, bestWithoutChange, projected, shortPlanName)
    return [
      ...tableLines(columnsFor(bestWithoutChange), rows, screen).map((line, at) =>
        at === 1 ? screen.style.accent(line) : line
      ),
      "",
      ...wrap(sentence, screen.columns),
      ...briefProvenance(provenance, screen)
    ].join("\n")
  }
