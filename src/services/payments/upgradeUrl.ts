/** The payment link of one sandbox key: address filled in, and the key named so that the payment finds its way back. */
export const upgradeUrl = (paymentLink: string, email: string, sandboxKeyId: string): string => {
  const url = new URL(paymentLink)
  url.searchParams.set("prefilled_email", email)
  url.searchParams.set("client_reference_id", sandboxKeyId)
  return url.href
}
