/** The tests of REPAYMENT ASSISTANCE: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("REPAYMENT ASSISTANCE")
