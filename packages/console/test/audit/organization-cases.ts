import { type Case, change, SIGN_IN } from './leaf-support.ts'

export const ORGANIZATION_CASES: readonly Case[] = [
  [
    'change.organization.created',
    change('org_1', null, { name: 'Acme' }),
    'Ada Lindqvist created the organization Acme',
  ],
  [
    'change.organization.updated',
    change('org_1', { frozen: false }, { frozen: true, frozenReason: 'Strange' }),
    'Ada Lindqvist froze all spending: “Strange”',
  ],
  [
    'change.organization.updated',
    change('org_1', { frozen: true }, { frozen: false }),
    'Ada Lindqvist resumed all spending',
  ],
  [
    'change.organization.updated',
    change('org_1', { webhookUrl: null }, { webhookUrl: 'https://a.example/…' }),
    'Ada Lindqvist changed the webhook URL to https://a.example/…',
  ],
  [
    'change.organization.updated',
    change('org_1', {}, { webhookEndpoints: [{ url: 'https://b.example/…', status: 'active' }] }),
    'Ada Lindqvist changed the webhook endpoints',
  ],
  [
    'change.organization.updated',
    change('org_1', { timezone: 'UTC' }, { timezone: 'Europe/Oslo' }),
    'Ada Lindqvist changed the organization: time zone UTC → Europe/Oslo',
  ],
  [
    'change.organization.plan_changed',
    change('org_1', { plan: 'free' }, { plan: 'team' }),
    'Ada Lindqvist changed the plan: free → team',
  ],
  [
    'change.organization.webhook_secret_rotated',
    change('org_1', {}, {}),
    'Ada Lindqvist rotated the webhook secret',
  ],
  [
    'change.organization.pruned',
    { ...change('org_1', null, { detailsBefore: '2026-05-03T00:00:00.000Z' }), actorId: 'system' },
    'Purser removed details from before 3 May 2026',
  ],
  [
    'change.transaction.settled',
    change('txn_1', { settledAmount: 0 }, { settledAmount: 100 }),
    'Ada Lindqvist settled 100.00 USD at sas.se',
  ],
  [
    'change.transaction.voided',
    change('txn_1', {}, {}),
    'Ada Lindqvist voided the hold of 120.00 USD at sas.se',
  ],
  [
    'change.transaction.refunded',
    change('txn_1', { refundedAmount: 10 }, { refundedAmount: 59 }),
    'Ada Lindqvist refunded 49.00 USD at sas.se',
  ],
  [
    'change.approval.decided',
    change('apr_1', { status: 'pending' }, { status: 'rejected', comment: 'No.' }),
    'Ada Lindqvist rejected 120.00 USD at sas.se: “No.”',
  ],
  [
    'change.member.joined',
    change('mem_1', null, { role: 'approver' }),
    'Ada Lindqvist joined as approver',
  ],
  [
    'change.member.updated',
    change('mem_2', { role: 'viewer' }, { role: 'admin' }),
    'Ada Lindqvist changed the account of Bo Sørensen: role viewer → admin',
  ],
  [
    'change.member.removed',
    change('mem_2', { name: 'Bo Sørensen' }, null),
    'Ada Lindqvist removed Bo Sørensen',
  ],
  [
    'change.member.reset_link_created',
    change('mem_2', {}, {}),
    'Ada Lindqvist created a password-reset link for Bo Sørensen',
  ],
  [
    'change.member.password_reset',
    change('mem_1', {}, {}),
    'Ada Lindqvist set a new password with a reset link',
  ],
  [
    'change.member.passkey_added',
    change('mem_1', {}, { passkey: { name: 'MacBook' } }),
    'Ada Lindqvist added the passkey MacBook',
  ],
  [
    'change.member.passkey_renamed',
    change('mem_1', {}, { passkey: { name: 'Old Mac' } }),
    'Ada Lindqvist renamed the passkey Old Mac',
  ],
  [
    'change.member.passkey_removed',
    change('mem_1', { passkey: { name: 'Old Mac' } }, {}),
    'Ada Lindqvist removed the passkey Old Mac',
  ],
  [
    'change.member.recovery_codes_created',
    change('mem_1', {}, {}),
    'Ada Lindqvist created new recovery codes',
  ],
  [
    'change.invitation.created',
    change('inv_1', null, { email: 'vi@example.com', role: 'viewer' }),
    'Ada Lindqvist invited vi@example.com as viewer',
  ],
  [
    'change.invitation.withdrawn',
    change('inv_1', { email: 'vi@example.com' }, null),
    'Ada Lindqvist withdrew the invitation of vi@example.com',
  ],
  [
    'change.sign_in.succeeded',
    change('sgn_1', {}, { ...SIGN_IN, method: 'password' }),
    'Bo Sørensen signed in with a password from 203.0.113.7',
  ],
  [
    'change.sign_in.failed',
    change('sgn_1', {}, SIGN_IN),
    'Bo Sørensen failed to sign in 3 times from 203.0.113.7',
  ],
  [
    'change.sign_in.locked',
    change('sgn_1', {}, { ...SIGN_IN, lockedUntil: null }),
    'Bo Sørensen was locked out from 203.0.113.7',
  ],
  [
    'change.sign_in.refused',
    change('sgn_1', {}, SIGN_IN),
    'Bo Sørensen was refused 3 times: too many attempts from 203.0.113.7',
  ],
]
