import { casesOf } from "./cases.ts"

casesOf("REVISED PAY AS YOU EARN")
