/** The catalogue of faults: what goes wrong or is done to the service, what holds nevertheless, and where it is shown. */
import { ABUSE } from "./abuse.ts"
import type { Fault } from "./fault.ts"
import { FOUND } from "./found.ts"
import { LONG } from "./long.ts"
import { RECORDS } from "./records.ts"
import { STOPS } from "./stops.ts"

const numberOf = ({ id }: Fault): number => Number(id.slice(1))

export const FAULTS: ReadonlyArray<Fault> = [...STOPS, ...RECORDS, ...ABUSE, ...LONG, ...FOUND].toSorted(
  (one, other) => numberOf(one) - numberOf(other)
)
