/** The texts of the view in a chat program. */
export const chatTexts = {
  title: "Plans side by side",
  forgiven: (amount: string, tax: string | false) =>
    tax === false ? `${amount} forgiven` : `${amount} forgiven, ${tax} tax in the total`,
  nothing: "This answer has no figures to draw.",
  about: "Drawn from the tool's answer. It is arithmetic, not advice: the answer says what it leaves out."
}
