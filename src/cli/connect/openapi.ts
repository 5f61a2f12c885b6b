/** `repay openapi`: the OpenAPI document of the HTTP contract, as the service serves it. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { isWebAddress } from "../../request/webAddress.ts"
import { badInput } from "../failures.ts"
import { textFlag } from "../flags.ts"
import { withHelp } from "../helpText.ts"
import { printJson } from "../output.ts"

export const openApiCommand = Command.make(
  "openapi",
  {
    publicUrl: textFlag("public-url", "<address>", "Address of the service, named in servers").pipe(
      Flag.withDefault("http://127.0.0.1:8080")
    )
  },
  Effect.fn("repay.openapi")(function* ({ publicUrl }) {
    if (!isWebAddress(publicUrl)) return yield* badInput("--public-url: use an address such as https://api.example.org")
    const { openApiDocument } = yield* Effect.promise(() => import("../../http/openapi/document.ts"))
    return yield* printJson(openApiDocument(publicUrl.replace(/\/+$/, "")))
  })
).pipe(
  withHelp(
    "Print the OpenAPI 3.1 document of the service. GET /openapi.json is the same, and also lists the host of the request."
  ),
  Command.withExamples([
    {
      command: "repay openapi --public-url https://api.example.org > openapi.json",
      description: "Document of a service at this address"
    }
  ])
)
