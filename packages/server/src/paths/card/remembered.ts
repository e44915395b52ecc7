import type { CardRequest } from './issuers/issuer.ts'
import type { AskedCard } from './storage/asked-context.ts'
import type { KnownMerchant } from './storage/vendor-of-merchant.ts'

/** The most entries of each kind; the oldest entry is dropped first. */
const ENTRIES_MAX = 50_000

/** The agent of a card when the card was last read. */
export type RememberedCard = Pick<AskedCard, 'id' | 'agentId'>

/**
 * Guesses that save a round trip. With the agent of a card, the locks of its mandates can be taken at
 * once; with the vendor of a merchant, the counters for its rules can be read at once. Both are
 * compared with the values read under the locks. No state (such as a status or an amount) is
 * remembered.
 */
export interface Remembered {
  card(connectionId: string, request: CardRequest): RememberedCard | undefined
  merchant(organizationId: string, request: CardRequest): KnownMerchant | undefined
  keepCard(connectionId: string, request: CardRequest, card: RememberedCard): void
  keepMerchant(
    organizationId: string,
    request: CardRequest,
    merchant: KnownMerchant | undefined,
  ): void
}

export function createRemembered(): Remembered {
  const cards = new Map<string, RememberedCard>()
  const merchants = new Map<string, KnownMerchant>()
  return {
    card: (connectionId, request) => cards.get(cardName(connectionId, request)),
    merchant: (organizationId, request) => merchants.get(merchantName(organizationId, request)),
    keepCard: (connectionId, request, { id, agentId }) =>
      keep(cards, cardName(connectionId, request), { id, agentId }),
    keepMerchant(organizationId, request, merchant) {
      const name = merchantName(organizationId, request)
      if (merchant) keep(merchants, name, merchant)
      else merchants.delete(name)
    },
  }
}

function cardName(connectionId: string, { card }: CardRequest): string {
  return `${connectionId} ${card.externalId}`
}

function merchantName(organizationId: string, { merchant }: CardRequest): string {
  const { network, id, name } = merchant
  return JSON.stringify([organizationId, network, id, name])
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value)
  if (map.size <= ENTRIES_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
