/** The tests of TIERED STANDARD: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("TIERED STANDARD")
