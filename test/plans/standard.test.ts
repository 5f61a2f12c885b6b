/** The tests of STANDARD: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("STANDARD")
