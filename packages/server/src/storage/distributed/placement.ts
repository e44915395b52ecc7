/*
 * Where each table lives once the store is distributed by organization (ADR 64). `purser migrate
 * --distributed` reads these lists, and a test fails if a table is in neither.
 */

const BY_ORGANIZATION: readonly string[] = [
  ...[
    'agents',
    'mandates',
    'mandate_versions',
    'idempotency_keys',
    'plan_usage',
    'event_feeds',
    'removals',
    'token_revocations',
    'changes',
    'audit_logs',
    'audit_leaves',
    'approvals',
    'approval_decisions',
    'members',
    'authenticators',
    'member_links',
    'passkeys',
    'recovery_codes',
    'backtests',
    'clock_gaps',
    'audit_stops',
  ],
  ...[
    'limit_counters',
    'past_counts',
    'agent_vendors',
    'vendor_pasts',
    'vendors',
    'wallets',
    'x402_payments',
    'transactions',
  ],
  ...[
    'card_connections',
    'cards',
    'card_holders',
    'card_flagged',
    'unknown_cards',
    'card_health',
    'vendor_card_aliases',
  ],
  ...['card_authorizations', 'card_facts', 'acp_instruments', 'acp_checkouts'],
  ...['analytics_changes', 'analytics_books', 'analytics_cells', 'analytics_days'],
  ...['analytics_sums'],
  ...['webhook_queue', 'webhook_events', 'webhook_deliveries', 'webhook_attempts'],
  ...['webhook_urls', 'webhook_url_sealings', 'webhook_redeliveries', 'webhook_endpoints'],
  ...['message_choices', 'message_chats', 'message_cursors', 'messages'],
]

/** The table that all others are colocated with. */
export const ROOT = 'organizations'

/** The column by which the rows of each table are distributed. */
export const DISTRIBUTED: ReadonlyMap<string, string> = new Map([
  [ROOT, 'id'],
  ...BY_ORGANIZATION.map((table) => [table, 'organization_id'] as const),
])

/**
 * Tables on the coordinator with rows of organizations. A transaction can write them together with rows
 * on a worker, so Citus has to know them (ADR 67).
 */
export const REGISTERED: readonly string[] = [
  'api_keys',
  'ingest_tokens',
  'invitations',
  'sessions',
  'sign_in_members',
  'sign_in_notes',
]

/** Tables on the coordinator, because they are looked up without an organization. */
export const UNDISTRIBUTED: readonly string[] = [
  ...REGISTERED,
  'installation',
  'installation_secrets',
  'schema_migrations',
  'signing_keys',
  'store_backup',
  'store_state',
  'sign_in_attempts',
  'sign_in_names',
]
