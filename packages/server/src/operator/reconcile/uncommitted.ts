import { TABLES } from '../../storage/reconcile/things.ts'

/** Tables whose columns are compared, apart from those that are listed below. */
export const COMPARED: readonly string[] = [
  ...Object.values(TABLES),
  ...['transactions', 'mandate_versions', 'limit_counters', 'webhook_events', 'changes'],
  // Their rows are columns of the thing that they belong to.
  ...['acp_instruments', 'approval_decisions', 'authenticators', 'member_links'],
  'vendor_card_aliases',
]

/**
 * What no leaf commits to, by table, with the reason. `docs/guide-audit.md` shows the same list, and a test
 * changes every column that is not in it and expects `purser reconcile` to say so. A text instead of columns
 * is the reason for the whole table.
 */
export const UNCOMMITTED: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  transactions: {
    remaining_budget: 'told once, with the answer',
    expires_at: 'whether a hold has an end is compared; when it ends is not',
    external: 'what the path learned outside',
    engine: 'only for judging again, which compares a hash of its own',
    inputs: 'only for judging again, which compares a hash of its own',
    inputs_hash: 'only for judging again',
    is_increment: 'shows in the sums of the counters alone',
    counted_in: 'compared once something became of the spend; until then by the counters',
    flags: 'of a card, compared once something became of the spend',
    code: 'while its details are kept, the leaf of the decision commits to it',
  },
  mandates: {
    budget_overdrawn: 'follows from the order in which captures came',
    spent_period_start: 'what is spent since then is compared',
  },
  agents: { last_seen_at: 'written by every request' },
  api_keys: { last_used_at: 'written by every request' },
  authenticators: { last_used_at: 'written by every sign-in' },
  organizations: {
    webhook_secret: 'sealed with the master key: another value cannot be opened',
    webhook_previous_secret: 'sealed with the master key',
  },
  wallets: { sealed_secret: 'sealed with the master key, and bound to the address' },
  vendors: {
    acp_credential: 'sealed with the master key',
    acp_webhook_secret: 'sealed with the master key',
  },
  acp_instruments: { credential: 'sealed with the master key' },
  card_connections: {
    authorization_secret: 'sealed with the master key',
    authorization_previous_secret: 'sealed with the master key',
    events_secret: 'sealed with the master key',
    events_previous_secret: 'sealed with the master key',
    last_request_at: 'written by every request of the issuer',
    last_event_at: 'written by every event of the issuer',
    unheard_since: 'written by every request of the issuer',
  },
  cards: {
    provider_status: 'what the issuer says',
    provider_status_at: 'what the issuer says',
  },
  approvals: {
    asked: 'how many spends have joined the request',
    asked_by: 'who has joined the request',
  },
  webhook_events: {
    id: 'of events that are no decisions',
    is_untold: 'whether webhooks get it',
    leaf: 'of events that are no decisions, where it is not used',
  },
  changes: { id: 'names the change in answers alone' },
  limit_counters: { expires_on: 'when the row may be removed' },
  acp_checkouts: 'the point that each has reached; its money is the transaction',
  agent_vendors: 'prices and vendors that were learned from transactions',
  analytics_books: 'sums that `purser analytics rebuild` makes again',
  analytics_cells: 'sums that `purser analytics rebuild` makes again',
  analytics_changes: 'removed once it is counted',
  analytics_days: 'sums that `purser analytics rebuild` makes again',
  analytics_sums: 'sums that `purser analytics rebuild` makes again',
  audit_leaves: 'the log itself, which `purser verify` checks',
  audit_logs: 'the log itself, which `purser verify` checks',
  audit_stops: 'logs that the sealer has stopped; a stopped log shows in `/readyz`',
  backtests: 'which backtest runs',
  card_authorizations: 'what issuers asked and told; its money is the transaction',
  card_facts: 'what issuers asked and told',
  card_flagged: 'what issuers told and a person should look at',
  card_health: 'how connections fare',
  card_holders: 'who had a card from when on; the leaves of its card say the same',
  clock_gaps: 'how far apart clocks were; it only widens what is read',
  event_feeds: 'the last number of the feed and of its stops, which the sealer watches',
  idempotency_keys: 'first answers, kept for 7 days',
  ingest_tokens: 'hashes of tokens in the addresses of issuers and shops',
  installation: 'a check of the master key',
  installation_secrets: 'sealed with the master key',
  past_counts: 'how far a past is counted',
  plan_usage: 'how many evaluations a month had',
  removals: 'how far retention is; what it removed is in its leaves',
  schema_migrations: 'the versions of the schema',
  sessions: 'who is signed in',
  sign_in_attempts: 'how often sign-in was tried',
  sign_in_members: 'which organizations an address is in',
  sign_in_names: 'salts of passwords',
  sign_in_notes: 'what is still to be recorded of sign-ins',
  signing_keys: 'the table is its own record',
  token_revocations: 'removed once no such token can live',
  unknown_cards: 'cards that nobody has registered',
  vendor_pasts: 'how far a past is learned',
  webhook_attempts: 'what was sent',
  webhook_deliveries: 'what was sent',
  webhook_queue: 'what is still to be sent',
  webhook_url_sealings: 'how far URLs from before are sealed',
  webhook_urls: 'sealed with the master key, and bound to the id that its organization names',
  x402_payments: 'what was signed; its money is the transaction',
}
