import { casesOf } from "./cases.ts"

casesOf("REPAYMENT ASSISTANCE")
