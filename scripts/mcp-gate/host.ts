/// <reference lib="dom" />
/** A page of a host of MCP Apps, as the extension's own package makes one: it shows a view and sends it an answer. */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

interface Shown {
  readonly html: string
  readonly args: Record<string, unknown>
  /** JSON, because the way into a browser takes no deep values. */
  readonly result: string
  readonly theme: "dark" | "light"
}

const show = async ({ args, html, result, theme }: Shown): Promise<void> => {
  const frame = document.createElement("iframe")
  frame.title = "view"
  frame.setAttribute("sandbox", "allow-scripts")
  frame.style.cssText = "border: 0; width: 100%; height: 40rem"
  frame.srcdoc = html
  document.body.replaceChildren(frame)
  const view = frame.contentWindow!
  const bridge = new AppBridge(null, { name: "host", version: "1" }, {}, { hostContext: { theme } })
  bridge.addEventListener("sizechange", ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`
  })
  bridge.addEventListener("initialized", async () => {
    await bridge.sendToolInput({ arguments: args })
    await bridge.sendToolResult(JSON.parse(result))
  })
  await bridge.connect(new PostMessageTransport(view, view))
}

Object.assign(globalThis, { show })
