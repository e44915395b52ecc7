import { EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'

export const ORGANIZATION_EXAMPLE = {
  id: exampleId('org'),
  name: 'Acme',
  plan: 'pro',
  timezone: 'UTC',
  currency: 'USD',
  frozen: false,
  webhookUrl: 'https://hooks.example.com/purser',
  webhookEvents: [
    'transaction.approved',
    'transaction.rejected',
    'mandate.budget.warning',
    'mandate.budget.exhausted',
  ],
  x402Fetch: false,
  requireFourEyes: false,
  approvalPasswordAbove: 500,
  webhookSecretHint: 'whsec_C2FV',
  webhookSecretRotatedAt: EXAMPLE_TIME,
  webhookPreviousSecretValidUntil: null,
  retention: { detailsDays: null, eventsDays: 400 },
  acp: { instruments: [] },
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  updatedBy: exampleId('key'),
  environment: 'production',
  publicUrl: 'https://purser.example.com',
  version: '0.1.0',
  webhookRetryDelays: [5, 30, 180, 1_080],
}

export const USAGE_EXAMPLE = {
  plan: 'pro',
  evaluations: { used: 1_204, limit: 50_000 },
  agents: { used: 7, limit: 50 },
  requestsPerMinute: { limit: 600 },
  periodStart: '2026-11-01T00:00:00.000Z',
  resetsAt: '2026-12-01T00:00:00.000Z',
}
