/** Signs notes of C2SP signed-note with Ed25519. Where a private key comes from is not known here. */
import { concat, fromBase64, refuse, toBase64, utf8 } from "../../proof/bytes.ts"
import { ALGORITHM, keyId, NAME, verifierKeyOf } from "../../proof/note.ts"

export interface Signer {
  /** `<name>+<key id>+<key>`: what others need to verify. */
  readonly verifierKey: string
  readonly sign: (text: string) => Promise<string>
}

/** What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

/** Signs under `name` with the private key, 32 bytes. */
export const makeSigner = async (name: string, privateKey: Uint8Array): Promise<Signer> => {
  if (!NAME.test(name)) refuse("the name of a key has no spaces and no plus")
  const key = await crypto.subtle.importKey("pkcs8", concat(PKCS8, privateKey), ALGORITHM, true, ["sign"])
  const { x } = await crypto.subtle.exportKey("jwk", key)
  const publicKey = fromBase64(`${x!.replaceAll("-", "+").replaceAll("_", "/")}=`)
  const id = await keyId(name, publicKey)
  const sign = async (text: string) => {
    const signature = new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, utf8(text)))
    return `— ${name} ${toBase64(concat(id, signature))}\n`
  }
  return { verifierKey: await verifierKeyOf(name, publicKey), sign }
}

/** The note of a text that ends with a newline. */
export const signNote = async (text: string, signers: ReadonlyArray<Signer>): Promise<string> =>
  `${text}\n${(await Promise.all(signers.map(({ sign }) => sign(text)))).join("")}`
