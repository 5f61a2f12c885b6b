/** Synchronous SHA-256 for the server. The verifier (`src/proof`) uses it in place of WebCrypto. */
import { hash } from "node:crypto"

export const sha256 = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => hash("sha256", bytes, "buffer")
