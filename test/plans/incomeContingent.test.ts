/** The tests of INCOME CONTINGENT: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("INCOME CONTINGENT")
