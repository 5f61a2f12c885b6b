/** docs/faults.md, from the catalogue. */
import { FAULTS_FILE, renderFaults } from "../faults/page.ts"

export const faultsFiles = () => ({ [FAULTS_FILE]: renderFaults() })
