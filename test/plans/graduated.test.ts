/** The tests of GRADUATED: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("GRADUATED")
