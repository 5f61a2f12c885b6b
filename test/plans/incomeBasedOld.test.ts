import { casesOf } from "./cases.ts"

casesOf("INCOME BASED (OLD)")
