/** The tests of INCOME BASED (OLD): its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("INCOME BASED (OLD)")
