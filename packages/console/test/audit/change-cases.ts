import { type Case, change } from './leaf-support.ts'

export const CHANGE_CASES: readonly Case[] = [
  [
    'change.agent.created',
    change('agent-1', null, { name: 'Travel booker' }),
    'Ada Lindqvist registered the agent Travel booker',
  ],
  [
    'change.agent.updated',
    change('agent-1', { status: 'active' }, { status: 'paused' }),
    'Ada Lindqvist paused Travel booker',
  ],
  [
    'change.agent.updated',
    change('agent-1', { status: 'paused' }, { status: 'active' }),
    'Ada Lindqvist resumed Travel booker',
  ],
  [
    'change.agent.updated',
    change('agent-1', { tags: [] }, { tags: ['eu', 'prod'] }),
    'Ada Lindqvist changed Travel booker: tags set to eu, prod',
  ],
  [
    'change.agent.deleted',
    change('agent-9', { name: 'Old' }, null),
    'Ada Lindqvist deleted the agent Old',
  ],
  [
    'change.agent.tokens_revoked',
    change('agent-1', {}, {}),
    'Ada Lindqvist revoked the mandate tokens of Travel booker',
  ],
  [
    'change.mandate.created',
    change('mnd_1', null, { name: 'Travel mandate', agentId: 'agent-1' }),
    'Ada Lindqvist created the draft Travel mandate for Travel booker',
  ],
  [
    'change.mandate.updated',
    change('mnd_1', { 'rules.amount.max': 200 }, { 'rules.amount.max': 250 }),
    'Ada Lindqvist changed Travel mandate: per-spend limit 200.00 → 250.00',
  ],
  [
    'change.mandate.activated',
    change('mnd_1', { status: 'draft' }, { status: 'active', version: 4 }),
    'Ada Lindqvist activated Travel mandate, version 4',
  ],
  ['change.mandate.revoked', change('mnd_1', {}, {}), 'Ada Lindqvist revoked Travel mandate'],
  [
    'change.mandate.budget_changed',
    change('mnd_1', { budgetTotal: 100 }, { budgetTotal: 1500 }),
    'Ada Lindqvist changed Travel mandate: budget 100.00 → 1,500.00',
  ],
  [
    'change.mandate.deleted',
    change('mnd_2', { name: 'Child' }, null),
    'Ada Lindqvist deleted the draft Child',
  ],
  ['change.mandate.archived', change('mnd_1', {}, {}), 'Ada Lindqvist archived Travel mandate'],
  [
    'change.mandate.tokens_revoked',
    change('mnd_1', {}, {}),
    'Ada Lindqvist revoked the tokens of Travel mandate',
  ],
  [
    'change.mandate_token.revoked',
    change('tok_1', {}, {}),
    'Ada Lindqvist revoked the mandate token tok_1',
  ],
  [
    'change.payment_token.created',
    change('txn_1', null, { amount: 20, currency: 'EUR', vendor: 'shop.example' }),
    'Ada Lindqvist created a payment token for 20.00 EUR at shop.example',
  ],
  [
    'change.payment_token.handed_out',
    change('txn_1', {}, { amount: 20, currency: 'EUR', vendor: 'shop.example' }),
    'Ada Lindqvist handed out a payment token for 20.00 EUR at shop.example',
  ],
  [
    'change.payment_token.ended',
    change('txn_1', {}, { amount: 20, currency: 'EUR', vendor: 'shop.example' }),
    'Ada Lindqvist ended a payment token for 20.00 EUR at shop.example',
  ],
  [
    'change.vendor.created',
    change('ven_1', null, { host: 'sj.se', category: 'travel' }),
    'Ada Lindqvist added sj.se to the directory, for travel',
  ],
  [
    'change.vendor.updated',
    change('ven_1', { name: null }, { name: 'SJ' }),
    'Ada Lindqvist changed sj.se: name set to SJ',
  ],
  [
    'change.api_key.created',
    change('key_2', null, { name: 'research', agentIds: ['agent-1'] }),
    'Ada Lindqvist created the key research for Travel booker',
  ],
  [
    'change.api_key.replaced',
    change('key_1', { expiresAt: null }, { expiresAt: 'x' }),
    'Ada Lindqvist rotated the key ci',
  ],
  [
    'change.api_key.revoked',
    change('key_1', { name: 'ci' }, { revoked: true }),
    'Ada Lindqvist revoked the key ci',
  ],
  [
    'change.wallet.created',
    change('wal_1', null, { name: 'Main' }),
    'Ada Lindqvist created the wallet Main',
  ],
  [
    'change.card.created',
    change('card_1', null, { label: 'Hotels', last4: '9920', agentId: 'agent-1' }),
    'Ada Lindqvist registered the card Hotels •••• 9920 for Travel booker',
  ],
  [
    'change.card.updated',
    change('card_1', { status: 'active' }, { status: 'paused', statusReason: 'Lost' }),
    'Ada Lindqvist paused the card Hotels •••• 9920: “Lost”',
  ],
  [
    'change.card.updated',
    change('card_1', { status: 'active' }, { status: 'closed' }),
    'Ada Lindqvist closed the card Hotels •••• 9920',
  ],
  [
    'change.card_connection.created',
    change('conn_1', null, { name: 'Stripe' }),
    'Ada Lindqvist connected the card issuer Stripe',
  ],
  [
    'change.card_connection.updated',
    change('conn_1', { name: 'A', deadlineMs: 1500 }, { name: 'A', deadlineMs: 1800 }),
    'Ada Lindqvist changed the connection A: name A → A, and 1 more',
  ],
]
