import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ISSUERS } from '../../../../src/paths/card/issuers/index.ts'
import type { Issuer } from '../../../../src/paths/card/issuers/issuer.ts'
import { sample, sampleNames } from '../../../support/card/samples.ts'

const headers: Readonly<Record<string, string>> = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1767225600',
}
const header = (name: string) => headers[name]

/** Both ways of reading, because a message may arrive at the wrong door. */
function readings({ readRequest, readEvent }: Issuer, body: unknown): readonly object[] {
  return [readRequest(body, header), readEvent(body, header)]
}

/** Every place of a payload, as the way to it. */
function places(value: unknown, way: readonly string[] = []): string[][] {
  const here = [[...way]]
  if (typeof value !== 'object' || value === null) return here
  return here.concat(Object.entries(value).flatMap(([key, inner]) => places(inner, [...way, key])))
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const inner = (value as Record<string, unknown>)[key]
  const changed = { [key]: replaced(inner, rest, by) }
  if (!Array.isArray(value)) return { ...(value as object), ...changed }
  return Object.assign([...value], changed)
}

describe.each(ISSUERS)('$provider', (issuer) => {
  test('has a name that the database accepts', () => {
    expect(issuer.provider).toMatch(/^[a-z][a-z0-9_]{0,39}$/)
  })

  const names = sampleNames(issuer.provider)

  test('reads every sample one way or the other', () => {
    const unread = names.filter((name) =>
      readings(issuer, sample(name)).every((reading) => 'unread' in reading),
    )
    expect(unread).toEqual([])
  })

  test('throws at nothing, whatever it is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(readings(issuer, body)).toHaveLength(2)
      }),
    )
  })

  test('throws at no payload of which one value is anything', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', 'x'.repeat(100_000), '\u0000', '\ud800', 1e308, -1, 2 ** 53, 0.1, true),
    )
    const spoiled = fc
      .constantFrom(...names)
      .map((name) => sample(name))
      .chain((body) =>
        fc.tuple(fc.constantFrom(...places(body)), odd).map(([way, by]) => replaced(body, way, by)),
      )
    fc.assert(
      fc.property(spoiled, (body) => {
        for (const reading of readings(issuer, body)) expect(bounded(reading)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('is not taken in by what every object would inherit', () => {
    for (const name of names) {
      const text = JSON.stringify(sample(name))
      const body = JSON.parse(`{"__proto__":${text},"constructor":${text}}`)
      for (const reading of readings(issuer, body)) expect(reading).toHaveProperty('unread')
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('type')
  })

  test('keeps nothing of a person', () => {
    for (const name of names) {
      const body = sample(name)
      const readable = readings(issuer, body)
      expect(readings(issuer, marked(body, false)), name).toEqual(readable)
    }
  })
})

/** No text that leaves a reader is longer than a few ids, however long what came in was. */
function bounded(reading: object): boolean {
  return JSON.stringify(reading, (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
    .split('"')
    .every((text) => text.length < 1_000)
}

const PERSONAL =
  /^(?:cardholder|verification_data|avs|billing|shipping|metadata|wallets?|token_info|fleet|memo|email|phone_number|postal_code|zipcode|street_address|city|address\w*|network_data|account_token|financial_account_token|service_location|cardholder_authentication)$/

/** The payload with other values for everything that says something of a person. */
function marked(value: unknown, isPersonal: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => marked(entry, isPersonal))
  if (typeof value !== 'object' || value === null) return isPersonal ? 'SOMEBODY' : value
  const entries = Object.entries(value).map(([key, inner]) => {
    // Amounts have a field of this name in what they say of the card's own currency.
    const isAmount =
      key === 'cardholder' && typeof inner === 'object' && inner && 'currency' in inner
    return [key, marked(inner, isPersonal || (PERSONAL.test(key) && !isAmount))] as const
  })
  return Object.fromEntries(entries)
}
