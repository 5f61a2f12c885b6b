/** Read-only commands as functions: they leave no file. */
import { describe } from "vitest"
import { repay } from "../support/repay.ts"
import { testsInEmptyFolder } from "./creatingNothing.ts"

describe("a command in an empty folder", () => testsInEmptyFolder(repay))
