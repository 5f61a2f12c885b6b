/** Transport and protocol of the tool server: keys, origins, methods, sizes, invalid messages. */
import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { projection } from "../support/requests.ts"
import { problemOf, stateless, useToolServer } from "../support/toolServer.ts"
import { until } from "../support/until.ts"

const service = useToolServer({ PUBLIC_URL: "https://api.example.test" })

const CLIENT = { name: "test", version: "1" }
const HELLO = { protocolVersion: "2025-11-25", clientInfo: CLIENT }
const PING = { jsonrpc: "2.0", id: 1, method: "ping" }
const COUNTLESS = { clientInfo: { icons: Array.from({ length: 600 }, () => ({ src: 1, theme: 3 })) } }
const TEXT_ARGUMENTS = { name: "get_plan_types", arguments: "x" }
const errorOf = async (response: Response) => (await response.json()).error

describe("a caller", () => {
  it.each([
    ["no key", {}],
    ["an unknown key", { "x-api-key": "slr_sbx_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }],
    ["another scheme", { authorization: "Basic c2xyOg==" }]
  ])("with %s gets 401 and how to authenticate", async (_, headers) => {
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? JSON.stringify(PING) : null
      const response = await fetch(service().mcpUrl, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        body
      })
      expect(response.status).toBe(401)
      expect(response.headers.get("www-authenticate")).toMatch(/^X-Api-Key realm="/)
      expect(response.headers.get("content-type")).toBe("application/problem+json")
    }
  })

  it("is refused before the body is read", async () => {
    const response = await fetch(service().mcpUrl, { method: "POST", body: "{", headers: { "x-api-key": "nonsense" } })
    expect(response.status).toBe(401)
  })
})

describe("a page", () => {
  it("of another site is refused with or without a key; one of the service may call", async () => {
    const key = await service().mint()
    const origin = "https://evil.example"
    const response = await service().rpc(key, "ping", {}, { origin })
    expect(response.status).toBe(403)
    expect(await errorOf(response)).toMatchObject({ code: -32000 })
    expect((await service().rpc("", "ping", {}, { origin })).status).toBe(403)
    expect((await service().get("/mcp", "", { origin, accept: "text/event-stream" })).status).toBe(403)
    for (const allowed of ["https://api.example.test", "http://localhost:6274"])
      expect((await service().rpc(key, "ping", {}, { origin: allowed })).status).toBe(200)
  })
})

describe("a message", () => {
  it.each([
    ["text that is no JSON", "{", 400, -32700],
    ["an empty body", "", 400, -32700],
    ["a name sent twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ["countless members", JSON.stringify({ ...PING, method: "initialize", params: COUNTLESS }), 400, -32600],
    ["endless nesting", "[".repeat(5_000), 400, -32700],
    ["a batch", JSON.stringify([PING]), 400, -32600],
    ["an empty batch", "[]", 400, -32600],
    ["a number", "5", 400, -32600],
    ["no version", '{"id":1,"method":"ping"}', 400, -32600],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', 400, -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
    ["params in order", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}', 400, -32600],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"tools/zap"}', 200, -32601],
    ["a call without a name", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', 200, -32602],
    ["arguments that are text", JSON.stringify({ ...PING, method: "tools/call", params: TEXT_ARGUMENTS }), 200, -32602],
    ["an unknown tool", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"toString"}}', 200, -32602],
    ["an initialize without params", '{"jsonrpc":"2.0","id":1,"method":"initialize"}', 200, -32602]
  ])("of %s is answered with an error of the protocol", async (_, body, status, code) => {
    const key = await service().mint()
    const response = await service().post("/mcp", key, body)
    expect([response.status, (await errorOf(response)).code]).toEqual([status, code])
    expect(response.headers.get("content-type")).toMatch(/^application\/json/)
    expect(response.headers.get("ratelimit-remaining")).toBe("100")
    expect(await service().used(key)).toBe(0)
  })

  it.each([
    ["tools/list", { cursor: null }],
    ["tools/list", { _meta: null }],
    ["tools/list", { _meta: { progressToken: null } }],
    ["tools/list", null],
    ["ping", null],
    ["ping", { _meta: null }],
    ["tools/call", { name: "get_plan_types", arguments: null, _meta: null }],
    ["prompts/get", { name: "compare-my-plans", arguments: { loans: "one", goal: null } }],
    ["initialize", { ...HELLO, capabilities: { roots: null, sampling: null }, clientInfo: { ...CLIENT, title: null } }]
  ])("may have null where nothing is sent: %s %j", async (method, params) => {
    const key = await service().mint()
    const asked = await service().post("/mcp", key, { jsonrpc: "2.0", id: 1, method, params })
    expect([asked.status, await asked.json()]).toMatchObject([200, { id: 1, result: {} }])
  })

  it("keeps a null in the arguments of a tool, where it has a meaning", async () => {
    const given = { name: "run_projection", arguments: { ...projection, scenario: null } }
    const { result } = await (await service().rpc(await service().mint(), "tools/call", given)).json()
    expect(Object.keys(problemOf(result)["errors"] as object)).toEqual(["scenario"])
    expect(JSON.stringify(problemOf(result))).not.toContain("is required")
  })

  it.each([
    ["tools/call", { name: "get_plan_types", arguments: [] }, "send a JSON object in params.arguments"],
    ["tools/call", { name: "get_plan_types", arguments: "{}" }, "send a JSON object in params.arguments"],
    ["tools/call", { name: 5 }, "send text in params.name"],
    ["tools/call", {}, "send text in params.name"],
    ["resources/read", {}, "send text in params.uri"],
    ["ping", { _meta: 5 }, "send a JSON object in params._meta"],
    ["tools/list", { cursor: 5 }, "leave params.cursor out: this server gives none, because each list is whole"],
    ["tools/list", { cursor: "2" }, "leave params.cursor out: this server gives none, because each list is whole"],
    ["prompts/list", { cursor: "2" }, "leave params.cursor out: this server gives none, because each list is whole"]
  ])("is told in one sentence what to send, in both revisions: %s %j", async (method, params, sentence) => {
    const key = await service().mint()
    const error = { code: -32602, message: `Invalid params of ${method}: ${sentence}` }
    const { headers, params: required } = stateless(method, params)
    const whole = { ...required, ...("_meta" in params ? params : {}) }
    expect(await errorOf(await service().rpc(key, method, params))).toEqual(error)
    const message = { jsonrpc: "2.0", id: 1, method, params: whole }
    expect(await errorOf(await service().post("/mcp", key, message, headers as Record<string, string>))).toEqual(error)
  })

  it("never gets back what moves the cursor of a terminal, nor more than 200 characters", async () => {
    const key = await service().mint()
    const hostile = `\u0000\u001b[31m\u202e${"x".repeat(300)}`
    const long = { "mcp-protocol-version": "x".repeat(14_000) }
    const discover = stateless("server/discover")
    const versioned = {
      ...discover.params._meta,
      "io.modelcontextprotocol/protocolVersion": long["mcp-protocol-version"]
    }
    const asked = (params: object, headers: object) =>
      service().post("/mcp", key, { jsonrpc: "2.0", id: "{", method: "server/discover", params }, {
        ...discover.headers,
        ...headers
      } as Record<string, string>)
    for (const response of [
      await service().rpc(key, "tools/call", { name: hostile }),
      await service().rpc(key, "tools/call", { name: "run_projection", arguments: { [hostile]: 1 } }),
      await service().rpc(key, "resources/read", { uri: `rules://${hostile}` }),
      await service().rpc(key, "prompts/get", { name: "compare-my-plans", arguments: { [hostile]: 5 } }),
      await service().rpc(key, "tools/list", {}, long),
      await asked(discover.params, long),
      await asked({ _meta: versioned }, long)
    ]) {
      const text = await response.text()
      // Control characters are escaped in JSON, once or twice.
      expect(text).not.toMatch(/\\u00[01]|\u202e|x{200}/)
      expect(text.length).toBeLessThan(6000)
    }
  })

  it("is answered with its id if the rest is invalid", async () => {
    const response = await service().post("/mcp", await service().mint(), '{"jsonrpc":"2.0","id":"a"}')
    expect((await response.json()).id).toBe("a")
  })

  it("for an unknown tool is answered with the shortened name, without a key in it, and the known tools", async () => {
    const name = `slr_sbx_${"a".repeat(38)}`
    const { message } = await errorOf(await service().rpc(await service().mint(), "tools/call", { name }))
    expect(message).toContain("run_projection, compare_scenarios, get_eligible_plans, get_plan_types, explain_payment")
    expect(message).not.toContain("aaaa")
  })

  it("over 1 MiB is refused, with or without a declared length", async () => {
    const key = await service().mint()
    const large = JSON.stringify({ ...PING, params: { text: "x".repeat(1024 * 1024) } })
    const response = await service().post("/mcp", key, large)
    expect([response.status, (await errorOf(response)).code]).toEqual([413, -32600])
    const streamed = await fetch(service().mcpUrl, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: new Blob([large]).stream(),
      duplex: "half"
    } as RequestInit)
    expect(streamed.status).toBe(413)
  })

  it("must be JSON in UTF-8", async () => {
    const key = await service().mint()
    for (const type of ["text/plain", "application/json; charset=utf-16"]) {
      const response = await service().post("/mcp", key, PING, { "content-type": type })
      expect([response.status, (await errorOf(response)).code]).toEqual([415, -32600])
    }
  })

  it("that expects no answer gets none", async () => {
    const key = await service().mint()
    const response = await service().post("/mcp", key, { jsonrpc: "2.0", method: "notifications/initialized" })
    expect([response.status, await response.text()]).toEqual([202, ""])
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "get_plan_types" } }
    expect((await service().post("/mcp", key, call)).status).toBe(202)
    expect(await service().used(key)).toBe(0)
  })

  it("of an unknown protocol version is refused, and a known version is agreed on", async () => {
    const key = await service().mint()
    const response = await service().rpc(key, "tools/list", {}, { "mcp-protocol-version": "1999-01-01" })
    expect(response.status).toBe(400)
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }
    const { result } = await (await service().rpc(key, "initialize", hello)).json()
    expect(result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "repayment-of-record" } })
    expect(result.instructions).toContain("never assume an income")
  })

  it.each([
    ["application/json", 200],
    ["*/*", 200],
    ["application/json, text/event-stream", 200],
    ["text/html, application/*;q=0.5", 200],
    ["text/html", 406]
  ])("is answered in JSON if the client accepts that: %s", async (accept, status) => {
    const response = await service().rpc(await service().mint(), "ping", {}, { accept })
    expect(response.status).toBe(status)
    expect(response.headers.get("content-type")).toBe("application/json")
  })
})

describe("another method", () => {
  it.each(["DELETE", "PUT", "PATCH"])("is refused with the allowed ones: %s", async (method) => {
    const response = await fetch(service().mcpUrl, { method, headers: { "x-api-key": await service().mint() } })
    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS")
  })

  it("may be OPTIONS, for the preflight of a browser", async () => {
    const response = await fetch(service().mcpUrl, { method: "OPTIONS", headers: { origin: "http://localhost:6274" } })
    expect(response.status).toBe(204)
    expect(response.headers.get("access-control-allow-headers")).toMatch(/X-Api-Key/)
  })
})

const openStream = async (key: string) => {
  const abort = new AbortController()
  const headers = { "x-api-key": key, accept: "text/event-stream" }
  const response = await fetch(service().mcpUrl, { headers, signal: abort.signal })
  return { response, close: () => abort.abort() }
}

describe("GET", () => {
  it("opens an event stream that begins at once and carries no event", async () => {
    const { close, response } = await openStream(await service().mint())
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    const { value } = await response.body!.getReader().read()
    expect(new TextDecoder().decode(value)).toMatch(/^: .+\nretry: \d+\n\n$/)
    close()
  })

  it("opens four streams for a key, and a fifth only after one is closed", async () => {
    const key = await service().mint()
    const open = await Promise.all(Array.from({ length: 4 }, async () => openStream(key)))
    expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200, 200])
    const fifth = await openStream(key)
    expect(fifth.response.status).toBe(405)
    expect(fifth.response.headers.get("allow")).toBe("POST")
    expect((await fifth.response.json()).error.message).toContain("POST needs none")
    expect((await openStream(await service().mint())).response.status).toBe(200)
    open[0]!.close()
    await until(async () => (await openStream(key)).response.status === 200)
    expect(await service().used(key)).toBe(0)
  })

  it("causes no error for a sixth client of a key", async () => {
    const key = await service().mint()
    const errors: Array<Error> = []
    const clients = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = await service().connect(key)
        client.onerror = (error) => errors.push(error)
        await client.ping()
        return client
      })
    )
    await Promise.all(clients.map((client) => client.listTools()))
    await Promise.all(clients.map((client) => client.close()))
    expect(errors).toEqual([])
  })

  it("is refused if the client does not accept a stream", async () => {
    expect((await service().get("/mcp", await service().mint(), { accept: "application/json" })).status).toBe(406)
  })

  it("holds no stream for HEAD", async () => {
    const key = await service().mint()
    const headers = { "x-api-key": key, accept: "text/event-stream" }
    for (let call = 0; call < 6; call++) {
      expect((await fetch(service().mcpUrl, { method: "HEAD", headers })).status).toBe(200)
    }
  })
})

describe("a server that stops", () => {
  const stopping = useToolServer()

  it("ends its streams and waits neither for them nor for a connection that has sent nothing", async () => {
    const silent = connect(Number(new URL(stopping().mcpUrl).port), "127.0.0.1")
    await once(silent, "connect")
    const headers = { "x-api-key": await stopping().mint(), accept: "text/event-stream" }
    // Kept whole, because fetch cancels the body of a response that is collected as garbage.
    const response = await fetch(stopping().mcpUrl, { headers })
    const began = performance.now()
    await Promise.all([stopping().stop(), once(silent, "close")])
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await response.text()).not.toContain("data:")
  })
})

describe("a client that disconnects", () => {
  it("during a call leaves the server unaffected [F23]", async () => {
    const key = await service().mint()
    const { port } = new URL(service().mcpUrl)
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_plan_types" } })
    await Promise.all(
      Array.from(
        { length: 20 },
        () =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), "127.0.0.1", () => {
              const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`
              socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, () => socket.destroy())
            }).on("close", () => resolve())
          })
      )
    )
    expect((await service().rpc(key, "ping")).status).toBe(200)
  })
})
