/**
 * The payment link of one sandbox key. It names the key, so that the payment is matched to it and nobody else can collect,
 * and prefills the address where that is known.
 */
export const upgradeUrl = (paymentLink: string, email: string | undefined, sandboxKeyId: string): string => {
  const url = new URL(paymentLink)
  if (email !== undefined) url.searchParams.set("prefilled_email", email)
  url.searchParams.set("client_reference_id", sandboxKeyId)
  return url.href
}
