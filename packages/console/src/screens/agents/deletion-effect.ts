import { countOf } from '../../words/text.ts'

interface Affected {
  readonly hasMandate: boolean
  /** How many keys end with the agent; undefined if this person may not see keys. */
  readonly keys: number | undefined
  readonly cards: number | undefined
}

/** The effect of a deletion on the things of the agent, in sentences. */
export function deletionEffect({ hasMandate, keys, cards }: Affected): string {
  const revoked = [
    hasMandate ? 'its mandate' : '',
    keys === undefined ? 'its own keys' : keys > 0 ? countOf(keys, 'key') : '',
  ].filter(Boolean)
  const isOne = revoked.length === 1 && (hasMandate || keys === 1)
  const sentences = [
    'It cannot spend from now on.',
    revoked.length > 0 ? capital(`${revoked.join(' and ')} ${isOne ? 'is' : 'are'} revoked.`) : '',
    cards ? `${countOf(cards, 'card')} ${cards === 1 ? 'is' : 'are'} closed.` : '',
    'Its transactions stay. This cannot be undone.',
  ]
  return sentences.filter(Boolean).join(' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
