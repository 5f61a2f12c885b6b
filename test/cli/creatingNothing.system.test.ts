/**
 * Read-only commands as processes: they leave no file, not even in their home or temporary folder.
 */
import { describe } from "vitest"
import { repayProcess } from "../support/repayProcess.ts"
import { testsInEmptyFolder } from "./creatingNothing.ts"

describe("a command in an empty folder", () => testsInEmptyFolder(repayProcess))
