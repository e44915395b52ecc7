/** The payment paths that a spend can come through. A path names itself with one of these. */
export const PATH_NAMES = ['evaluate', 'x402', 'acp', 'card'] as const

export type PathName = (typeof PATH_NAMES)[number]

/** What the documents say of each. */
export const PATH_MEANINGS: Readonly<Record<PathName, string>> = {
  evaluate: 'the agent asks first and then pays by itself',
  x402: 'token payments that the gateway signs',
  acp: 'checkouts at merchants that support the Agentic Commerce Protocol',
  card: 'card purchases that the issuer asks the gateway to authorize',
}
