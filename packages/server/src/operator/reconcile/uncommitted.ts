import { TABLES } from '../../storage/reconcile/things.ts'

/** Tables whose columns are compared, except the columns in UNCOMMITTED. */
export const COMPARED: readonly string[] = [
  ...Object.values(TABLES),
  ...['transactions', 'mandate_versions', 'limit_counters', 'webhook_events', 'changes'],
  // The rows of these tables are compared as columns of the thing that they belong to.
  ...['acp_instruments', 'approval_decisions', 'authenticators', 'member_links'],
  ...['passkeys', 'recovery_codes', 'vendor_card_aliases'],
]

/**
 * Columns that no leaf commits to, by table, with the reason. `docs/guide-audit.md` shows the same
 * list. A test changes every column that is not in it and expects `purser reconcile` to report
 * that. A text instead of columns is the reason for the whole table.
 */
export const UNCOMMITTED: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  transactions: {
    remaining_budget: 'only shown in the response to the decision',
    expires_at: 'compared: whether a hold has an expiry; not compared: its time',
    external: 'data that the path read from chains, issuers and merchants',
    engine: 'only used to replay the decision, which checks its own hash',
    inputs: 'only used to replay the decision, which checks its own hash',
    inputs_hash: 'only used to replay the decision',
    requested_by: 'only shown beside the transaction; approvals store their own requesters',
    is_increment: 'only visible in the totals of the counters',
    counted_in: 'compared after the first later event of the spend; until then by the counters',
    flags: 'for a card, compared after the first later event of the spend',
    code: 'while its details are kept, the leaf of the decision commits to it',
  },
  mandates: {
    budget_overdrawn: 'depends on the order in which captures arrived',
    spent_period_start: 'the amount spent since then is compared',
  },
  agents: { last_seen_at: 'written by every request' },
  api_keys: { last_used_at: 'written by every request' },
  authenticators: { last_used_at: 'written by every sign-in' },
  passkeys: {
    last_used_at: 'written by every sign-in',
    sign_count: 'written by every sign-in',
  },
  recovery_codes: { used_at: 'written by the sign-in' },
  organizations: {
    webhook_secret: 'encrypted with the master key: a changed value cannot be decrypted',
    webhook_previous_secret: 'encrypted with the master key',
  },
  wallets: { sealed_secret: 'encrypted with the master key, and bound to the address' },
  vendors: {
    acp_credential: 'encrypted with the master key',
    acp_webhook_secret: 'encrypted with the master key',
  },
  acp_instruments: { credential: 'encrypted with the master key' },
  card_connections: {
    authorization_secret: 'encrypted with the master key',
    authorization_previous_secret: 'encrypted with the master key',
    events_secret: 'encrypted with the master key',
    events_previous_secret: 'encrypted with the master key',
    last_request_at: 'written by every request of the issuer',
    last_event_at: 'written by every event of the issuer',
    unheard_since: 'written by every request of the issuer',
  },
  cards: {
    provider_status: 'reported by the issuer',
    provider_status_at: 'reported by the issuer',
  },
  approvals: {
    asked: 'the number of spends that joined the request',
    asked_by: 'the keys and members that joined the request',
  },
  webhook_events: {
    id: 'for events other than decisions',
    is_untold: 'whether webhooks send the event',
    leaf: 'for events other than decisions, which do not use it',
  },
  changes: { id: 'only identifies the change in responses' },
  limit_counters: { expires_on: 'when the row may be removed' },
  acp_checkouts: 'the progress of each checkout; its money is in the transaction',
  agent_vendors: 'prices and vendors derived from transactions',
  analytics_books: 'totals that `purser analytics rebuild` can recreate',
  analytics_cells: 'totals that `purser analytics rebuild` can recreate',
  analytics_changes: 'removed after it is counted',
  analytics_days: 'totals that `purser analytics rebuild` can recreate',
  analytics_sums: 'totals that `purser analytics rebuild` can recreate',
  audit_leaves: 'the log itself, which `purser verify` checks',
  audit_logs: 'the log itself, which `purser verify` checks',
  audit_stops: 'logs that the sealer has stopped; a stopped log shows in `/readyz`',
  backtests: 'the backtest that is running',
  card_authorizations: 'requests and events of issuers; the money is in the transaction',
  card_facts: 'requests and events of issuers',
  card_flagged: 'events of issuers that a person should look at',
  card_health: 'the health history of connections',
  card_holders: 'the agents of a card over time; the leaves of the card have the same data',
  clock_gaps: 'differences between clocks; they only widen the ranges that are read',
  event_feeds: 'the last number of the feed and of its stops, which the sealer watches',
  idempotency_keys: 'first responses, kept for 7 days',
  ingest_tokens: 'hashes of tokens in the addresses of issuers and merchants',
  installation: 'a check of the master key',
  installation_secrets: 'encrypted with the master key',
  past_counts: 'the progress of counting earlier spends',
  plan_usage: 'the number of evaluations in a month',
  removals: 'the progress of retention; its leaves say up to when it removed data',
  schema_migrations: 'the versions of the schema',
  sessions: 'the open sessions of members',
  sign_in_attempts: 'the number of sign-in attempts',
  sign_in_members: 'the organizations of an e-mail address',
  sign_in_names: 'salts of passwords',
  sign_in_notes: 'sign-ins that are not recorded yet',
  signing_keys: 'the table is its own record',
  token_revocations: 'removed after all such tokens have expired',
  unknown_cards: 'cards that are not registered',
  vendor_pasts: 'the progress of reading earlier payments',
  webhook_attempts: 'requests that were sent',
  webhook_deliveries: 'requests that were sent',
  webhook_queue: 'deliveries that are still to be sent',
  webhook_redeliveries: 'the progress of sending failed deliveries again',
  webhook_url_sealings: 'the progress of encrypting older URLs',
  webhook_urls: 'encrypted with the master key, and bound to the id in its organization',
  x402_payments: 'signed payments; the money is in the transaction',
}
