/**
 * The conformance suite of the protocol against the tool servers. The suite tests a sample server,
 * so most failures are checks of the sample's own tools, prompts and resources. The expected failures
 * are listed here with their reasons. The suite fails on any other, and on an entry that passes.
 */
import { writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { join } from "node:path"

/** The revisions of the protocol that are tested. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const
type Revision = (typeof REVISIONS)[number]

/** They call tools of the sample: `test_simple_text` and the like. */
const SAMPLE_TOOLS = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12"
]
/** They read prompts and resources of the sample: `test_simple_prompt`, `test://static-text`. */
const SAMPLE_PROMPTS_AND_RESOURCES = [
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read"
]

const EXPECTED: Readonly<Record<Revision, ReadonlyArray<string>>> = {
  "2025-11-25": [
    // Capabilities that this server does not declare: it never asks the client, and nothing changes.
    "logging-set-level",
    "tools-call-with-logging",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "resources-subscribe",
    "resources-unsubscribe",
    // A warning: there are no sessions.
    "server-sse-multiple-streams:server-sse-multiple-streams-session"
  ],
  "2026-07-28": [
    // They call tools of the sample: `test_missing_capability`, `test_streaming_elicitation`, `test_logging_tool`.
    "server-stateless:sep-2575-server-rejects-undeclared-capability",
    "server-stateless:sep-2575-missing-capability-http-400",
    "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
    "server-stateless:sep-2575-server-no-log-without-loglevel",
    // They need tools and prompts that ask the client; a tool here names what is missing in its answer.
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    // Warnings of two more, for the same reason.
    "input-required-result-missing-input-response:sep-2322-missing-response-rerequests",
    "input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params",
    // A warning: an error repeats at most 40 characters of what was sent.
    "sep-2164-resource-not-found:sep-2164-data-uri",
    // It needs a tool whose arguments are repeated in headers.
    "http-custom-header-server-validation",
    // An extension for long work; answers here take milliseconds.
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition"
  ]
}

/** Without a key there are no prompts and no completions, and the view is the only resource. */
const WITHOUT_RULES: Readonly<Record<Revision, ReadonlyArray<string>>> = {
  "2025-11-25": ["completion-complete", "prompts-list"],
  "2026-07-28": ["completion-complete", "prompts-list", "caching:sep-2549-prompts-list-caching-hints"]
}

/** Writes the list of expected failures, and returns the arguments of the suite's program. */
export const suiteArguments = (url: string, revision: Revision, hasRules: boolean, folder: string) => {
  const expected = [
    ...SAMPLE_TOOLS,
    ...SAMPLE_PROMPTS_AND_RESOURCES,
    ...EXPECTED[revision],
    ...(hasRules ? [] : WITHOUT_RULES[revision])
  ]
  const file = join(folder, `${revision}-${hasRules}.yml`)
  writeFileSync(file, `server:\n${expected.map((entry) => `  - ${entry}\n`).join("")}`)
  return ["server", "--url", url, "--requirements", revision, "--expected-failures", file]
}

/** The suite cannot send a header, so a proxy adds the key. */
export const proxyWithKey = async (base: string, key: string) => {
  const { hostname, port } = new URL(base)
  const server = createServer((from, to) => {
    const headers = { ...from.headers, "x-api-key": key }
    const onward = request({ hostname, port, path: from.url, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(to)
    })
    from.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port: own } = server.address() as { readonly port: number }
  return { url: `http://127.0.0.1:${own}/mcp`, stop: () => server.close() }
}
