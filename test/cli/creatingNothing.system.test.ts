/** A command that only reads leaves no trace: also not in its home, or in the folder for temporary files. */
import { describe } from "vitest"
import { repayProcess } from "../support/repayProcess.ts"
import { testsInEmptyFolder } from "./creatingNothing.ts"

describe("a command in an empty folder", () => testsInEmptyFolder(repayProcess))
