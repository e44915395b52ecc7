/** The first elements of the query keys that an event or hint makes stale. */
export function resourcesOf(kind: string): readonly string[] {
  const [area, thing] = kind.split('.')
  if (area === 'transaction')
    return ['transactions', 'mandates', 'agents', 'analytics', 'approvals']
  if (area === 'mandate') return ['mandates', 'agents']
  if (area === 'approval') return ['approvals', 'transactions']
  if (area === 'delivery') return ['deliveries']
  if (area === 'change') return [...(CHANGED[thing ?? ''] ?? []), 'auditLog']
  return []
}

const CHANGED: Readonly<Record<string, readonly string[]>> = {
  agent: ['agents', 'mandates', 'cards', 'apiKeys', 'simulation'],
  mandate: ['mandates', 'agents', 'analytics', 'simulation'],
  organization: ['organization', 'me', 'state', 'simulation'],
  api_key: ['apiKeys'],
  vendor: ['vendors'],
  wallet: ['wallets'],
  card: ['cards'],
  card_connection: ['cards'],
  member: ['members', 'me'],
  invitation: ['members'],
  approval: ['approvals'],
  webhook: ['organization', 'deliveries'],
}
