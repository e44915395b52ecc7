import { describe, expect, test } from 'vitest'
import {
  ITEMS_MAX,
  type KnownMessage,
  planDigest,
  QUIET_MS,
  type Recipient,
} from '../../src/core/messages/digest.ts'
import { offeredKinds, wantedKinds } from '../../src/core/messages/kinds.ts'
import {
  approvalsText,
  budgetText,
  endpointsText,
  invitationText,
  toOneLine,
} from '../../src/core/messages/texts.ts'

const NOW = Date.UTC(2026, 10, 18)
const ADA: Recipient = { id: 'ada', channel: 'mail' }
const NEWS = { kind: 'approvals', items: ['a', 'b'], count: 2 } as const

const known = (fields: Partial<KnownMessage> = {}): KnownMessage => ({
  ...{ id: 'm', kind: 'approvals', recipientId: 'ada', items: ['x'], itemCount: 1 },
  ...{ endedAt: null, isLeased: false },
  ...fields,
})

describe('a digest', () => {
  test('of the first news is due at once', () => {
    const { added, grown } = planDigest(NEWS, [ADA], [], NOW)
    expect(added).toMatchObject([{ recipient: ADA, items: ['a', 'b'], itemCount: 2, dueAt: NOW }])
    expect(grown).toEqual([])
  })

  test('waits for the end of the quiet time after the last message', () => {
    const sent = known({ endedAt: NOW - 60_000 })
    const { added } = planDigest(NEWS, [ADA], [sent], NOW)
    expect(added).toMatchObject([{ dueAt: NOW - 60_000 + QUIET_MS.approvals }])
  })

  test('adds news to a message that waits, and keeps a bounded number of things', () => {
    const items = Array.from({ length: ITEMS_MAX - 1 }, (_, n) => `x${n}`)
    const { added, grown } = planDigest(NEWS, [ADA], [known({ items, itemCount: 70 })], NOW)
    expect(added).toEqual([])
    expect(grown).toEqual([{ id: 'm', items: [...items, 'a'], itemCount: 72 }])
  })

  test('adds nothing to a message that is being sent', () => {
    const { added, grown } = planDigest(NEWS, [ADA], [known({ isLeased: true })], NOW)
    expect(grown).toEqual([])
    expect(added).toMatchObject([{ dueAt: NOW + QUIET_MS.approvals }])
  })

  test('does not mix kinds or recipients', () => {
    const others = [known({ kind: 'budget' }), known({ recipientId: 'bob' })]
    const { added, grown } = planDigest(NEWS, [ADA], others, NOW)
    expect([added.length, grown.length, added[0]?.dueAt]).toEqual([1, 0, NOW])
  })
})

describe('the messages of a role', () => {
  test('by default are about things that it can act on', () => {
    expect(wantedKinds('owner', null)).toEqual(['approvals', 'budget', 'endpoints'])
    expect(wantedKinds('approver', null)).toEqual(['approvals'])
    expect(wantedKinds('viewer', null)).toEqual([])
  })

  test('follow the choice, as far as the role allows', () => {
    expect(wantedKinds('owner', [])).toEqual([])
    expect(wantedKinds('viewer', ['approvals', 'budget'])).toEqual(['budget'])
    expect(offeredKinds('viewer')).toEqual(['budget', 'endpoints'])
  })
})

test.each([
  ['a\r\nBcc: b', 'a Bcc: b'],
  ['a\u2028b\u0000c\u0085d', 'a b c d'],
  ['pay \u202eevil', 'pay evil'],
  ['  x\ty  ', 'x y'],
  ['ü 株', 'ü 株'],
])('a name is one line: %j', (text, line) => expect(toOneLine(text)).toBe(line))

test('a long name is cut', () => expect([...toOneLine('😀'.repeat(500))]).toHaveLength(120))

describe('a text', () => {
  const approval = (n: number) => ({
    ...{ id: `apr_${n}`, agent: 'Buyer', amount: '20 USD', vendor: 'shop.example' },
    expiresAt: NOW,
  })
  const frame = { organization: 'Acme', publicUrl: 'https://purser.test' }

  test('lists at most ten things, and counts the others', () => {
    const all = Array.from({ length: 12 }, (_, n) => approval(n))
    const { subject, text } = approvalsText(frame, all, 37)
    expect(subject).toBe('Acme: 49 spends wait for approval')
    expect(text.match(/^- Buyer/gm)).toHaveLength(10)
    expect(text).toContain('- and 39 more')
  })

  test('has links only if the gateway knows its address, and else names the page', () => {
    expect(approvalsText(frame, [approval(1)], 0).text).toContain(
      'https://purser.test/approvals/apr_1',
    )
    const { text, footer } = approvalsText({ ...frame, publicUrl: undefined }, [approval(1)], 0)
    expect(text + footer).not.toContain('http')
    expect(text).toContain('open the page Approvals of the console')
  })

  test('about a budget has its figures', () => {
    const note = { mandate: 'Ads', mandateId: 'mnd_1', agent: 'Buyer', percent: 80 }
    const { text } = budgetText(frame, [{ ...note, spent: '8 USD', total: '10 USD' }], 0)
    expect(text).toContain('- Buyer: 80 % of the mandate Ads is spent (8 USD of 10 USD)')
  })

  test('about an endpoint has its count', () => {
    const receivers = ['https://hook.example/…']
    const { text } = endpointsText(frame, { receivers, failed: 3, paused: [] })
    expect(text).toContain('3 webhook deliveries to https://hook.example/… failed')
    const paused = ['https://dead.example/…', null]
    const told = endpointsText(frame, { receivers: [], failed: 0, paused })
    expect(told.subject).toContain('A webhook endpoint is paused')
    expect(told.text).toContain(
      'Every attempt to reach https://dead.example/… failed for five days',
    )
    expect(told.text).toContain('Every attempt to reach a webhook endpoint failed for five days')
    expect(told.text).not.toContain('after the last retry')
  })

  test('of an invitation has the link, or says where to get it', () => {
    const invitation = { invitedBy: 'Ada', role: 'viewer', token: 'secret', expiresAt: NOW }
    expect(invitationText(frame, invitation).text).toContain('https://purser.test/accept#secret')
    const { text } = invitationText({ ...frame, publicUrl: undefined }, invitation)
    expect(text).not.toContain('secret')
    expect(text).toContain('Ask the person who invited you')
  })
})
