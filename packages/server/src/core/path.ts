/** The payment paths of a spend. Each path uses one of these names. */
export const PATH_NAMES = ['evaluate', 'x402', 'acp', 'card'] as const

export type PathName = (typeof PATH_NAMES)[number]

/** The description of each path in the documents. */
export const PATH_MEANINGS: Readonly<Record<PathName, string>> = {
  evaluate: 'the agent asks first and then pays by itself',
  x402: 'token payments that the gateway signs',
  acp: 'checkouts at merchants that support the Agentic Commerce Protocol',
  card: 'card purchases that the issuer asks the gateway to authorize',
}
