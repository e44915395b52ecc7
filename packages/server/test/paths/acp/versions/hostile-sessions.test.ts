import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHECKOUT_VERSIONS } from '../../../../src/paths/acp/versions/index.ts'
import { exampleOf } from '../../../support/acp/published.ts'
import { read, sessionOf } from './some-session.ts'

test('depth makes no version throw', () => {
  const deep = JSON.parse(`${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`)
  const fields = ['authentication_metadata', 'selected_fulfillment_options', 'totals', 'messages']
  for (const name of fields) {
    expect(
      read((body) => Object.assign(body, { [name]: name === 'messages' ? [deep] : deep })),
    ).toBeDefined()
  }
  expect(
    sessionOf((body) => Object.assign(body, { authentication_metadata: deep })).authentication,
  ).toBeNull()
})

test('nothing that a merchant can send makes a version throw', () => {
  const example = exampleOf('2026-04-17', 'create_checkout_session_response')
  const names = fc.constantFrom(...Object.keys(example), 'order', 'payment_provider', 'refunds')
  const changed = fc
    .dictionary(names, fc.jsonValue({ maxDepth: 6 }))
    .map((fields) => ({ ...example, ...fields }))
  fc.assert(
    fc.property(
      fc.oneof(changed, fc.jsonValue({ maxDepth: 6 })),
      fc.integer({ min: 100, max: 599 }),
      (body, status) => {
        for (const version of CHECKOUT_VERSIONS) {
          version.readSession(body)
          version.readOutcome(status, body, 'soon')
        }
      },
    ),
    { numRuns: 500 },
  )
})
