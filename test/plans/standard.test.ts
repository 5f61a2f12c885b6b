import { casesOf } from "./cases.ts"

casesOf("STANDARD")
