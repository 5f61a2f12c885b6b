/** The view of `repay subscriptions allow`. */
import type { AllowOutcome } from "../../services/accounts/index.ts"
import type { Screen } from "../output.ts"
import { definitionList } from "./table.ts"

/** `allowed` is null for a sandbox key, which has no subscription. */
export const allowedView =
  (named: string, allowed: Extract<AllowOutcome, { readonly _tag: "Allowed" }> | null) =>
  ({ style }: Screen): string => {
    const lines: ReadonlyArray<readonly [string, string]> =
      allowed === null
        ? []
        : [
            ["Subscription", allowed.subscriptionId],
            ["Lifted", allowed.lifted ?? "nothing"]
          ]
    return definitionList([["Allowed", named], ...lines], style.bold).join("\n")
  }
