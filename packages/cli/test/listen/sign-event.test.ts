import { expect, test } from 'vitest'
import { newWebhookSecret as newGatewaySecret } from '../../../server/src/storage/secrets/webhook-secret.ts'
import { signatureHeaders } from '../../../server/src/webhooks/signature.ts'
import { newWebhookSecret, signEvent } from '../../src/listen/sign-event.ts'

test('an event is signed exactly as the gateway signs a webhook', () => {
  for (const secret of [newWebhookSecret(), newGatewaySecret()]) {
    const [id, at, body] = ['evt_1', 1_790_000_000_123, '{"event":"transaction.approved"}'] as const
    expect(signEvent(secret, id, at, body)).toEqual(
      signatureHeaders({ current: secret, previous: undefined }, id, at, body),
    )
  }
})
