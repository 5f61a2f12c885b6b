/** A command that only reads leaves no trace. */
import { describe } from "vitest"
import { repay } from "../support/repay.ts"
import { testsInEmptyFolder } from "./creatingNothing.ts"

describe("a command in an empty folder", () => testsInEmptyFolder(repay))
