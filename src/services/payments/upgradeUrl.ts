/** The payment link of one sandbox key. It prefills the address and names the key, so the payment can be matched to it. */
export const upgradeUrl = (paymentLink: string, email: string, sandboxKeyId: string): string => {
  const url = new URL(paymentLink)
  url.searchParams.set("prefilled_email", email)
  url.searchParams.set("client_reference_id", sandboxKeyId)
  return url.href
}
