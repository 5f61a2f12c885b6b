/** The tests of EXTENDED: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("EXTENDED")
