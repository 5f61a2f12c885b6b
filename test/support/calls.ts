/** Calls of a running service over HTTP, and the key that most of them need. */
export interface Ask {
  readonly key?: string | undefined
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = (method: string, path: string, ask?: Ask) => Promise<Response>

/** Calls a service: with a key, and a body given as it is or as the value that becomes its JSON. */
export const callerOf =
  (base: string): Call =>
  (method, path, { body, headers, json, key } = {}) => {
    const sent = json === undefined ? body : JSON.stringify(json)
    return fetch(`${base}${path}`, {
      method,
      headers: {
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...headers
      },
      redirect: "manual",
      ...(sent === undefined ? {} : { body: sent as string | Uint8Array<ArrayBuffer> })
    })
  }

/** A new sandbox key of a new address, as a caller gets it. */
export const mintOver = async (call: Call): Promise<{ readonly apiKey: string; readonly email: string }> => {
  const email = `${crypto.randomUUID()}@example.org`
  const response = await call("POST", "/v1/keys/sandbox", { json: { email } })
  if (response.status !== 200) throw new Error(`no key: ${await response.text()}`)
  const { apiKey } = (await response.json()) as { apiKey: string }
  return { apiKey, email }
}
