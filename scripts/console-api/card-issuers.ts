import type { Issuer } from '../../packages/server/src/paths/card/issuers/issuer.ts'

const WORDS = `// Written by \`npm run generate\` from the list of card issuers. Do not change it by hand.

/** The card issuers that call the gateway in their own protocol, and the names that people know. */
`

/** The issuers that the console offers, so that a further one needs no change of the console. */
export function createCardIssuers(issuers: readonly Pick<Issuer, 'provider' | 'title'>[]): string {
  const lines = issuers.map(
    ({ provider, title }) => `  { provider: '${provider}', title: ${literalOf(title)} },\n`,
  )
  return `${WORDS}export const CARD_ISSUERS = [\n${lines.join('')}] as const\n`
}

/** In the quotes that the formatter chooses. */
function literalOf(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`
}
