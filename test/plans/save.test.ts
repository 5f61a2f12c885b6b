import { casesOf } from "./cases.ts"

casesOf("SAVE")
