/** SHA-256 for the verifier (`proof`) where it runs on the server: without a wait, where WebCrypto has one. */
import { hash } from "node:crypto"
import type { Bytes, Sha256 } from "../proof/bytes.ts"

export const sha256: Sha256 = (bytes: Bytes): Bytes => hash("sha256", bytes, "buffer")
