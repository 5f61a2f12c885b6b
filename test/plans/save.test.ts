/** The tests of SAVE: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("SAVE")
