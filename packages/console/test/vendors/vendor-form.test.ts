import type { Vendor } from '@purser/sdk'
import { expect, test } from 'vitest'
import { mistakesOf, toChange, toForm, toInput } from '../../src/screens/vendors/vendor-form.ts'

const ADDRESS = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const VENDOR: Vendor = {
  ...{ id: 'ven_1', host: 'api.exa.ai', name: 'Exa', category: 'search' },
  x402Payees: [{ network: 'eip155:8453', address: ADDRESS }],
  cardAliases: [{ name: 'EXA LABS' }, { merchantId: '1234567', network: 'visa' }],
  ...{ acp: null, createdAt: '', updatedAt: '', updatedBy: null },
}

test('a form reads back what it shows, so an untouched one changes nothing', () => {
  expect(toForm(VENDOR).aliases).toBe('EXA LABS\nid 1234567 visa')
  expect(toChange(toForm(VENDOR), VENDOR)).toEqual({})
})

test('a change sends only what differs', () => {
  const form = { ...toForm(VENDOR), name: '', aliases: 'EXA LABS\n\n id 99 ' }
  expect(toChange(form, VENDOR)).toEqual({
    name: null,
    cardAliases: [{ name: 'EXA LABS' }, { merchantId: '99' }],
  })
})

test('a new vendor has no shop unless the form says so', () => {
  const form = toForm(undefined, { host: ' sj.se ', payees: `eip155:1   ${ADDRESS}` })
  expect(toInput(form)).toEqual({
    ...{ host: 'sj.se', name: null, category: null, cardAliases: [] },
    x402Payees: [{ network: 'eip155:1', address: ADDRESS }],
  })
  const shop = {
    hasShop: true,
    apiBaseUrl: 'https://sj.se/acp',
    credential: 'tok',
    merchantIds: 'm1',
  }
  expect(toInput({ ...form, ...shop }).acp).toEqual({
    ...{ apiBaseUrl: 'https://sj.se/acp', version: '2026-04-17', merchantIds: ['m1'] },
    ...{ profileId: null, credential: 'tok' },
  })
})

test('a removed shop is null, and an empty token keeps the stored one', () => {
  const acp = {
    ...{ apiBaseUrl: 'https://a.example', version: '2026-04-17' as const, merchantIds: ['m1'] },
    ...{ profileId: null, handler: null, credentialHint: 'abcd', webhookSecretHint: null },
    orderUrl: 'https://…',
  }
  const withShop: Vendor = { ...VENDOR, acp }
  expect(toChange(toForm(withShop), withShop)).toEqual({})
  expect(toChange({ ...toForm(withShop), hasShop: false }, withShop)).toEqual({ acp: null })
  const changed = toChange({ ...toForm(withShop), merchantIds: 'm1\nm2' }, withShop)
  expect(changed.acp).not.toHaveProperty('credential')
})

test('mistakes are named before the gateway is asked', () => {
  const form = toForm(undefined, { payees: 'only-an-address', hasShop: true })
  expect(Object.keys(mistakesOf(form, undefined))).toEqual([
    ...['host', 'payees', 'apiBaseUrl', 'credential'],
  ])
})
