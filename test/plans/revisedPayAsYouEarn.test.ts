/** The tests of REVISED PAY AS YOU EARN: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("REVISED PAY AS YOU EARN")
