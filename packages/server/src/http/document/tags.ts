/** What the operations are grouped by, in the order in which a reader needs them. */
export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Gateway',
    description: 'Judges a spend before money moves: directly, by x402 or by ACP. Mandate tokens.',
  },
  { name: 'Agents', description: 'Software that spends.' },
  { name: 'Mandates', description: 'What an agent may spend: budget, rules and their versions.' },
  {
    name: 'Transactions',
    description: 'The record of every spend, and what became of its money.',
  },
  { name: 'Approvals', description: 'Spends that wait for a person, and the answers to them.' },
  { name: 'Cards', description: 'Cards of issuers, the connections to them, and authorizations.' },
  { name: 'Wallets', description: 'Wallets that x402 payments are signed with.' },
  { name: 'Vendors', description: 'The directory of vendors that the organization knows.' },
  { name: 'API keys', description: 'Keys that call this API, and what each of them may do.' },
  { name: 'Organization', description: 'Settings, plan and usage of the organization.' },
  { name: 'Webhooks', description: 'The feed of events, and their delivery to your server.' },
  { name: 'Audit log', description: 'The signed log of decisions and changes, with its proofs.' },
  { name: 'Analytics', description: 'Sums and trends of spends.' },
]
