import { casesOf } from "./cases.ts"

casesOf("TIERED STANDARD")
