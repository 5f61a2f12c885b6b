/** Calls of a running service over HTTP, and new sandbox keys for them. */
export interface Ask {
  readonly key?: string | undefined
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = (method: string, path: string, ask?: Ask) => Promise<Response>

/** A function that calls a service. `json` is serialized; `body` is sent as is. */
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

/** Mints a sandbox key for a new email address over HTTP. */
export const mintOver = async (call: Call): Promise<{ readonly apiKey: string; readonly email: string }> => {
  const email = `${crypto.randomUUID()}@example.org`
  const response = await call("POST", "/v1/keys/sandbox", { json: { email } })
  if (response.status !== 200) throw new Error(`no key: ${await response.text()}`)
  const { apiKey } = (await response.json()) as { apiKey: string }
  return { apiKey, email }
}
