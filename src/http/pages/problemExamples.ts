/** Texts of the problem pages: the cause, a request that has the problem and one that avoids it. */
export interface ProblemExample {
  readonly when: string
  readonly causes: string
  readonly fixes: string
  /** Ids of the ledger rules that decide the problem. */
  readonly rules?: ReadonlyArray<string>
}

/** A loan book that every example can use; `{base}` is replaced by the address of the service. */
const LOANS =
  '[{"loanType":"DIRECT STAFFORD UNSUBSIDIZED","principalBalance":30000,"interestRate":0.0654,"disbursedAmount":30000}]'
const scenario = (plan: string) =>
  `{"planType":"${plan}","adjustedGrossIncome":52000,"filingStatus":"Single","dependents":0,"state":"NC","workingTowardsPslf":false}`

const project = (body: string, headers = '-H "X-Api-Key: $KEY" -H "Content-Type: application/json"') =>
  `curl {base}/v1/projection ${headers} \\\n  -d '${body}'`

const valid = `{"scenario":${scenario("INCOME BASED")},"loans":${LOANS}}`
/** Idempotency-Keys of two calls. */
const [CALL, NEXT_CALL] = ["5c0d1f6e-8b0f-4f0e-9d57-2f6c3f0a7b11", "e9a4c8d2-31b7-4a52-8c0e-6d1f9b7a3c54"]
const named = (idempotencyKey: string, body = valid) =>
  project(
    body,
    `-H "X-Api-Key: $KEY" -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: ${idempotencyKey}"`
  )
const me = 'curl {base}/v1/me -H "X-Api-Key: $KEY"'
const claim =
  'curl {base}/v1/keys/claim -H "Content-Type: application/json" \\\n  -d \'{"sandboxKey":"\'$SANDBOX_KEY\'"}\''
const mint = 'curl {base}/v1/keys/sandbox -H "Content-Type: application/json" \\\n  -d \'{"email":"ada@example.org"}\''

export const PROBLEM_EXAMPLES: Readonly<Record<string, ProblemExample>> = {
  validation: {
    when: "A field is missing, misspelled, of the wrong type or out of range, or the body is not valid JSON. errors names every such field and says what to send. The field body means the whole body.",
    causes: project(valid.replace("0.0654", "6.54")),
    fixes: project(valid)
  },
  "artifact-plan": {
    rules: ["fixed-plan-prior-months", "idr-forgiveness-count"],
    when: "The months already counted decide the result alone: nothing is left to pay, the whole balance is due at once, or it is forgiven before any payment. Such an answer says nothing about the plan.",
    causes: project(
      `{"scenario":${scenario("STANDARD")},"loans":${LOANS.replace("}]", ',"idrMonthsInRepayment":120}]')}}`
    ),
    fixes: project(valid)
  },
  "ineligible-plan": {
    rules: ["plan-eligibility-matrix", "loan-type-families"],
    when: "No loan of the request can be repaid under the plan. For example, a Parent PLUS loan cannot elect REPAYMENT ASSISTANCE.",
    causes: project(
      `{"scenario":${scenario("REPAYMENT ASSISTANCE")},"loans":${LOANS.replace("STAFFORD UNSUBSIDIZED", "PLUS PARENT")}}`
    ),
    fixes: project(
      `{"scenario":${scenario("STANDARD")},"loans":${LOANS.replace("STAFFORD UNSUBSIDIZED", "PLUS PARENT")}}`
    )
  },
  "malformed-request": {
    when: "The input is not valid HTTP: a malformed request line, a missing, repeated or invalid Host header, or both Content-Length and Transfer-Encoding.",
    causes: 'printf "GET / HTTP/1.1\\r\\n\\r\\n" | nc $HOST $PORT',
    fixes: "curl {base}/health"
  },
  unauthorized: {
    when: "No key, an unknown, revoked or expired key, two different keys in X-Api-Key and Authorization, or one of these headers sent twice. For a key that was valid once, detail says whether it was replaced or revoked, or has expired.",
    causes: "curl {base}/v1/me",
    fixes: me
  },
  "not-found": {
    when: "The path does not exist. Paths are case-sensitive and end without a slash. Percent-encoding is decoded only in parameters.",
    causes: "curl {base}/v1/Rules/",
    fixes: "curl {base}/v1/rules"
  },
  "answer-not-found": {
    when: "No record has this id.",
    causes: "curl {base}/v1/verify/00000000-0000-4000-8000-000000000000",
    fixes: "curl {base}/v1/verify/$ANSWER_ID"
  },
  "no-subscription": {
    when: "A sandbox key is claimed before a subscription for its email address is paid. upgradeUrl is the payment page.",
    causes: claim,
    fixes: `# after the payment at upgradeUrl\n${claim}`
  },
  "method-not-allowed": {
    when: "The path exists, but not with this method. Allow lists its methods.",
    causes: 'curl {base}/v1/projection -H "X-Api-Key: $KEY"',
    fixes: project(valid)
  },
  "request-timeout": {
    when: "The headers did not arrive within 10 seconds, or the whole request not within 15.",
    causes: 'printf "GET /health HTTP/1.1\\r\\n" | nc $HOST $PORT',
    fixes: "curl {base}/health"
  },
  "key-already-used": {
    when: "The production key of the subscription has already answered a call, so it is not replaced.",
    causes: claim,
    fixes: me
  },
  "key-issued-after-payment": {
    when: "The sandbox key was issued after the subscription was paid and is not the one the payment refers to. Anyone can ask for a sandbox key for any address, so such a key proves nothing.",
    causes: claim,
    fixes: `# SANDBOX_KEY: the key whose upgradeUrl was paid\n${claim}`
  },
  "subscription-held": {
    when: "The operator revoked the production key or the sandbox key, or the payment was refunded in full or disputed. No claim and no later payment lifts this; only the operator does.",
    causes: claim,
    fixes: `# after the operator has allowed it again\n${claim}`
  },
  "rules-changed": {
    when: "A recorded call is sent again with its Idempotency-Key, but the rules, the texts or the address of the service have changed since. Answers are not stored, so the service cannot return the recorded one again. answerId and verifyUrl name its record, which still confirms the answer if you received it.",
    causes: `# after the rules have changed\n${named(CALL)}`,
    fixes: named(NEXT_CALL)
  },
  "payload-too-large": {
    when: "The body has more bytes than the route accepts: 1 MiB for loan books, 512 KiB for an answer to be checked, 16 KiB elsewhere.",
    causes:
      'head -c 20000 /dev/zero | curl {base}/v1/keys/sandbox -H "Content-Type: application/json" --data-binary @-',
    fixes: mint
  },
  "unsupported-media-type": {
    when: "The body is not application/json in UTF-8, or it is compressed.",
    causes: project(valid, '-H "X-Api-Key: $KEY" -H "Content-Type: text/plain"'),
    fixes: project(valid)
  },
  "idempotency-key-reused": {
    when: "This account has sent the Idempotency-Key before, with other inputs or to the other route, and that call is recorded as answerId. An Idempotency-Key belongs to one request; its spelling and its detail do not matter.",
    causes: `${named(CALL)}\n${named(CALL, valid.replace('"dependents":0', '"dependents":1'))}`,
    fixes: named(NEXT_CALL, valid.replace('"dependents":0', '"dependents":1'))
  },
  "quota-exceeded": {
    when: "The key has used all calls of the calendar month. The count returns to zero at 00:00 UTC on the 1st. upgradeUrl says how to get more calls.",
    causes: `# after the last call of the month\n${me}`,
    fixes: `# with a key for more calls, or next month\n${me}`
  },
  "rate-limited": {
    when: "The key or the address sent more requests in a short time than its rate limit allows. Retry-After says how many seconds to wait.",
    causes: "for i in $(seq 1000); do curl {base}/v1/verify/$ANSWER_ID; done",
    fixes: "sleep $RETRY_AFTER; curl {base}/v1/verify/$ANSWER_ID"
  },
  "headers-too-large": {
    when: "The request line and headers together are larger than 16 KiB.",
    causes: "curl {base}/health -H \"X-Padding: $(head -c 20000 /dev/zero | tr '\\0' x)\"",
    fixes: "curl {base}/health"
  },
  internal: {
    when: "An error inside the service. It is logged under the request id; the call is not charged.",
    causes: "# no request is known to cause it",
    fixes: "# send the request again; if it fails again, report its X-Request-Id"
  },
  "ledger-unavailable": {
    when: "The database cannot be reached, so the service cannot check a key or record an answer, and it sends no unrecorded answer. The record may still be written a moment later. If the call had an Idempotency-Key, sending it again then returns the recorded answer, charged once.",
    causes: `# while the database is down\n${named(CALL)}`,
    fixes: `sleep $RETRY_AFTER\n${named(CALL)}`
  },
  "not-yet-logged": {
    when: "A receipt was requested before the answer's record was in the log.",
    causes: "# at once after the answer\ncurl {base}/v1/verify/$ANSWER_ID/receipt",
    fixes: "sleep $RETRY_AFTER\ncurl {base}/v1/verify/$ANSWER_ID/receipt"
  },
  starting: {
    when: "The key, the checkpoint or a receipt of the log was requested in the first second of a new installation, before the log had a key.",
    causes: "# at once after the first start\ncurl {base}/log/key",
    fixes: "sleep $RETRY_AFTER\ncurl {base}/log/key"
  },
  overloaded: {
    when: "More calculations are waiting than the service accepts. The call is not charged.",
    causes: `# during a flood of calculations\n${project(valid)}`,
    fixes: `sleep $RETRY_AFTER\n${project(valid)}`
  },
  "webhook-disabled": {
    when: "A payment event was sent to a service that was started without STRIPE_WEBHOOK_SECRET.",
    causes: "curl {base}/webhooks/stripe -H \"Content-Type: application/json\" -d '{}'",
    fixes: "# the sender can do nothing: the operator has to set the secret and restart the service"
  }
}
