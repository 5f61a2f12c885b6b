/** The tests of INCOME BASED: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("INCOME BASED")
