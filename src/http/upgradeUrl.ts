/** The payment link, with what Stripe returns with the payment: the sandbox key and an address. */
export const upgradeUrl = (paymentLink: string, email: string | undefined, sandboxKeyId: string): string => {
  const url = new URL(paymentLink)
  if (email !== undefined) url.searchParams.set("prefilled_email", email)
  url.searchParams.set("client_reference_id", sandboxKeyId)
  return url.href
}
