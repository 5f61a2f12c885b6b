/** Which workers compute the same bytes: those with the same rules and the same program. */

import { ruleVersion } from "../../../ledger/release.ts"
import packageJson from "../../../package.json" with { type: "json" }

export const RELEASE = `${ruleVersion}/${packageJson.version}`
