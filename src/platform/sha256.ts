/** SHA-256 on the server, synchronously. The verifier (`src/proof`) takes it in place of WebCrypto. */
import { hash } from "node:crypto"

export const sha256 = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => hash("sha256", bytes, "buffer")
