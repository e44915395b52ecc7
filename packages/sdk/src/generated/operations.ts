// Written by `npm run generate` from openapi.json. Do not change it by hand.

/**
 * Every operation of the API by its name: the HTTP method, the path below `/api/v1`, and what the
 * client must know about it. `body` or `query`: where the input goes. `list`: the input is a
 * query, and the answer a page. `offset`: the pages follow by `offset`, since the list has no
 * cursor. `decision`: the answer is a decision on a spend. `stream`: the answer is a stream.
 */
export const OPERATIONS = {
  gateway: {
    evaluate: 'POST /gateway/evaluate body decision',
    simulate: 'POST /gateway/simulate body decision',
  },
  x402: {
    pay: 'POST /gateway/x402/pay body decision',
  },
  wallets: {
    create: 'POST /wallets body',
    list: 'GET /wallets list',
  },
  acp: {
    checkouts: {
      create: 'POST /gateway/acp/checkouts body decision',
    },
  },
  cards: {
    authorize: 'POST /gateway/card/authorize body decision',
    reportEvent: 'POST /gateway/card/events body',
    create: 'POST /cards body',
    list: 'GET /cards list',
    update: 'PATCH /cards/{id} body',
  },
  cardConnections: {
    create: 'POST /card-connections body',
    list: 'GET /card-connections list',
    update: 'PATCH /card-connections/{id} body',
  },
  mandateTokens: {
    get: 'GET /gateway/mandate-token query',
    introspect: 'POST /gateway/mandate-token/introspect body',
    revoke: 'POST /gateway/mandate-token/revoke body',
  },
  agents: {
    create: 'POST /agents body',
    list: 'GET /agents list',
    get: 'GET /agents/{id} query',
    update: 'PATCH /agents/{id} body',
    delete: 'DELETE /agents/{id}',
  },
  mandates: {
    create: 'POST /mandates body',
    list: 'GET /mandates list',
    get: 'GET /mandates/{id}',
    update: 'PATCH /mandates/{id} body',
    delete: 'DELETE /mandates/{id}',
    activate: 'POST /mandates/{id}/activate body',
    revoke: 'POST /mandates/{id}/revoke body',
    updateBudget: 'PATCH /mandates/{id}/budget body',
    versions: 'GET /mandates/{id}/versions list offset',
    backtest: 'POST /mandates/{id}/backtest body',
  },
  transactions: {
    list: 'GET /transactions list',
    export: 'GET /transactions/export query stream',
    get: 'GET /transactions/{id}',
    settle: 'POST /transactions/{id}/settle body',
    void: 'POST /transactions/{id}/void body',
    refund: 'POST /transactions/{id}/refund body',
  },
  approvals: {
    list: 'GET /approvals list',
    get: 'GET /approvals/{id} query',
    decide: 'POST /approvals/{id}/decision body',
  },
  vendors: {
    create: 'POST /vendors body',
    list: 'GET /vendors list',
    update: 'PATCH /vendors/{id} body',
  },
  apiKeys: {
    create: 'POST /api-keys body',
    list: 'GET /api-keys list',
    delete: 'DELETE /api-keys/{id} query',
  },
  organization: {
    get: 'GET /organization',
    update: 'PATCH /organization body',
    usage: 'GET /organization/usage',
    rotateWebhookSecret: 'POST /organization/webhook-secret/rotate body',
  },
  webhooks: {
    deliveries: {
      list: 'GET /webhooks/deliveries list',
      get: 'GET /webhooks/deliveries/{id}',
      redeliver: 'POST /webhooks/deliveries/{id}/redeliver body',
    },
    test: 'POST /webhooks/test body',
  },
  events: {
    list: 'GET /events list',
  },
  auditLog: {
    list: 'GET /audit-log list',
    proof: 'GET /audit-log/proof query',
  },
  analytics: {
    spend: 'GET /analytics/spend query',
  },
} as const
