import type { CardConnection, CardConnectionHealth } from '@purser/sdk'
import { expect, test } from 'vitest'
import openApi from '../../../../openapi.json'
import {
  toConnectionChange,
  toConnectionForm,
  toConnectionInput,
} from '../../src/screens/cards/connection-form.ts'
import { cardName, healthOf } from '../../src/screens/cards/health-words.ts'
import { PROVIDERS } from '../../src/screens/cards/providers.ts'

const HEALTH: CardConnectionHealth = {
  ...{ lastRequestAt: '2026-11-17T10:00:00.000Z', lastEventAt: null, p95Ms: 40 },
  ...{ signatureFailures24h: 0, timeouts24h: 0, ungoverned24h: 0, unknownCards24h: 0 },
  ...{ otherCurrency24h: 0, unlinkedRefunds24h: 0, unreadableEvents24h: 0 },
  ...{ unknownCards: [], flagged: [], warnings: [] },
}

function health(
  change: Partial<CardConnectionHealth>,
  status: CardConnection['status'] = 'active',
) {
  const { tone, word } = healthOf({
    ...{ provider: 'stripe', status, deadlineMs: 1_500, health: { ...HEALTH, ...change } },
  })
  return `${tone} ${word}`
}

const unknownCards = [
  {
    ...{ externalId: 'ic_9', last4: null, merchantName: null, amount: null, currency: null },
    ...{ lastAt: '2026-11-17T10:00:00.000Z', count: 1 },
  },
]

test('the worst thing about a connection comes first', () => {
  expect(health({})).toBe('ok Working')
  expect(health({ lastRequestAt: null, p95Ms: null })).toBe('ask Not asked yet')
  expect(health({ unknownCards })).toBe('ask Unknown cards')
  expect(health({ p95Ms: 1_200, unknownCards })).toBe('ask Slow')
  expect(health({ warnings: ['events_silent'] })).toBe('ask No events')
  expect(health({ signatureFailures24h: 1 })).toBe('no Wrong signature')
  expect(health({ timeouts24h: 1, signatureFailures24h: 1 })).toBe('no Too late')
  expect(health({ ungoverned24h: 1, timeouts24h: 1 })).toBe('no Ungoverned')
  expect(health({ ungoverned24h: 1 }, 'disabled')).toBe('done Disabled')
})

test('a card is named by its label and digits, else by the id of the issuer', () => {
  expect(cardName({ label: 'Hotels', last4: '9920', externalId: 'ic_1' })).toBe('Hotels •••• 9920')
  expect(cardName({ label: null, last4: null, externalId: 'ic_1' })).toBe('ic_1')
})

test('a connection sends only what differs, and secrets only when typed', () => {
  const connection: CardConnection = {
    ...{ id: 'conn_1', provider: 'stripe', livemode: false, name: 'Stripe', status: 'active' },
    ...{ failMode: 'closed', deadlineMs: 1_500, partialApprovals: false },
    ...{ pauseOnOverCapture: false, failOpenMaxAmount: null, ingest: null, health: HEALTH },
    secrets: { authorization: null, events: null },
    ...{ createdAt: '', updatedAt: '', updatedBy: null },
  }
  const form = toConnectionForm(connection)
  expect(toConnectionChange(form, connection)).toEqual({})
  const open = {
    ...form,
    failMode: 'open' as const,
    failOpenMaxAmount: '20',
    eventsSecret: 'whsec',
  }
  expect(toConnectionChange(open, connection)).toEqual({
    ...{ failMode: 'open', failOpenMaxAmount: 20, secrets: { events: 'whsec' } },
  })
  const fresh = { ...toConnectionForm(undefined), name: ' Lithic ', provider: 'lithic' as const }
  expect(toConnectionInput(fresh)).not.toHaveProperty('deadlineMs')
  expect(toConnectionInput(fresh).name).toBe('Lithic')
})

test('a connection can be with every provider of the API', () => {
  const { enum: providers } = openApi.components.schemas.CardProvider
  expect(PROVIDERS.map(({ provider }) => provider)).toEqual(providers)
})
