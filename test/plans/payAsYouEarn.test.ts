import { casesOf } from "./cases.ts"

casesOf("PAY AS YOU EARN")
