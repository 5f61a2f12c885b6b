import { casesOf } from "./cases.ts"

casesOf("GRADUATED")
