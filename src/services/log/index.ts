/**
 * The face of the transparency log. `tiles.ts` is a smaller face: the log's tree and its proofs,
 * for everybody who reads or checks one.
 */

// Reading the log, and the workers that append records and ask witnesses.

export { Sequencer, sequencerWorkerLayer } from "./Sequencer.ts"
export { logObstacle, type NotYetLogged, TransparencyLog } from "./TransparencyLog.ts"
export { checkLogLine, witnessWorkerLayer } from "./Witnesses.ts"
export { ownPolicy } from "./witnessPolicy.ts"

// Keys and signatures.

export { checkpointText, makeSigner, nameIn, signNote } from "./keys.ts"
export { LogKeys } from "./LogKeys.ts"

// The audit, the log's condition, and appending.

export { grow } from "./append.ts"
export { type AuditReport, audit } from "./audit.ts"
export { logHead, MAX_COUNTED_WAITING, type SignedBy, signerOf, WAITING } from "./condition.ts"
