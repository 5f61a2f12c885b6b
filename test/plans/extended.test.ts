import { casesOf } from "./cases.ts"

casesOf("EXTENDED")
