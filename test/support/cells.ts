/** Several services, each with a database of its own, as one service: a door before them sends each account to its cell. */
import { openDoor } from "./door.ts"
import { freePort } from "./freePort.ts"
import { callerOf, mintOver, type RunningService, rawTo } from "./runningService.ts"

export type Cells = Awaited<ReturnType<typeof startCells>>

/** `start` makes one cell of its settings and its number. What is asked of the database is asked of all of them, one after the other. */
export const startCells = async (
  count: number,
  { METRICS_PORT: _, PORT, ...variables }: Readonly<Record<string, string>>,
  start: (variables: Readonly<Record<string, string>>, cell: number) => Promise<RunningService>
) => {
  const port = PORT === undefined ? await freePort() : Number(PORT)
  const cells: Array<RunningService> = []
  while (cells.length < count) cells.push(await start(variables, cells.length))
  const door = await openDoor(
    port,
    cells.map(({ base }) => base)
  )
  const base = `http://127.0.0.1:${port}`
  const call = callerOf(base)
  const sum = async (ask: (cell: RunningService) => Promise<number>) =>
    (await Promise.all(cells.map(ask))).reduce((all, one) => all + one, 0)
  return {
    base,
    publicUrl: cells[0]!.publicUrl,
    call,
    raw: rawTo(port),
    mint: async () => (await mintOver(call)).apiKey,
    query: async <Row extends object>(statement: string) =>
      (await Promise.all(cells.map((cell) => cell.query<Row>(statement)))).flat(),
    hold: async (table: "answer" | "api_key") => {
      const holds = await Promise.all(cells.map((cell) => cell.hold(table)))
      return { release: async () => void (await Promise.all(holds.map(({ release }) => release()))) }
    },
    used: (key: string) => sum((cell) => cell.used(key)),
    stop: async () => {
      await Promise.all(cells.map(({ stop }) => stop()))
      await door.close()
    },
    cells
  } satisfies RunningService & Record<string, unknown>
}
