import { casesOf } from "./cases.ts"

casesOf("INCOME CONTINGENT")
