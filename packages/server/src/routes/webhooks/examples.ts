import { EXAMPLE_SPEND, EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'

/** The content of an event, in the feed and in a webhook body. */
export const EVENT_EXAMPLE = {
  event: 'transaction.approved',
  timestamp: EXAMPLE_TIME,
  data: {
    transactionId: exampleId('txn'),
    mandateId: exampleId('mnd'),
    ...EXAMPLE_SPEND,
    remainingBudget: 87.5,
    decision: 'approved',
    status: 'settled',
    currency: 'USD',
    path: 'evaluate',
    reference: null,
    expiresAt: null,
    flags: [],
  },
}

export const DELIVERY_EXAMPLE = {
  id: exampleId('dlv'),
  eventId: exampleId('evt'),
  endpointId: exampleId('whe'),
  event: 'transaction.approved',
  transactionId: exampleId('txn'),
  test: false,
  status: 'succeeded',
  attempts: 1,
  maxAttempts: 5,
  lastAttemptAt: EXAMPLE_TIME,
  lastStatusCode: 200,
  lastError: null,
  nextAttemptAt: null,
  createdAt: EXAMPLE_TIME,
}

export const DELIVERY_DETAIL_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  attemptLog: [
    {
      number: 1,
      trigger: 'automatic',
      outcome: 'succeeded',
      startedAt: EXAMPLE_TIME,
      durationMs: 84,
      error: null,
      remoteAddress: '203.0.113.7',
      nextAttemptAt: null,
      request: {
        url: 'https://hooks.example.com/purser',
        headers: {
          'content-type': 'application/json',
          'webhook-id': exampleId('evt'),
          'x-service-signature': '3f1a9c…',
        },
        body: JSON.stringify(EVENT_EXAMPLE),
      },
      response: { status: 200, headers: { 'content-length': '2' }, body: 'ok', cut: null },
    },
  ],
}
