/** The generator of the OpenAPI document, with its examples. */
import { EXAMPLES_PUBLIC_URL } from "../../schema/examples/index.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { formatted } from "../formatted.ts"

const DOCUMENT_FILE = "schema/generated/openapi.json"

export const documentFiles = () => ({
  [DOCUMENT_FILE]: formatted("openapi.json", JSON.stringify(openApiDocument(EXAMPLES_PUBLIC_URL), undefined, 2))
})
