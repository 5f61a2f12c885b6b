/** The tests of PAY AS YOU EARN: its cases against the engine. */
import { casesOf } from "./cases.ts"

casesOf("PAY AS YOU EARN")
