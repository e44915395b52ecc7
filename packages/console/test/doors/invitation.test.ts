import { expect, test } from 'vitest'
import { invitationSentence, nameHelp } from '../../src/screens/doors/sentences.ts'

test('says who invites, to which organization and as what', () => {
  const link = { createdBy: 'Ada', organization: 'Meridian Labs' } as const
  expect(invitationSentence({ ...link, role: 'approver' })).toBe(
    'Ada invites you to Meridian Labs as an approver.',
  )
  expect(invitationSentence({ ...link, createdBy: null, role: 'viewer' })).toBe(
    'The operator of this gateway invites you to Meridian Labs as a viewer.',
  )
})

test('says which name an empty field means', () => {
  expect(nameHelp('Grace')).toBe('Leave it empty to use “Grace”.')
  expect(nameHelp(null)).toBe('Leave it empty to use your e-mail address.')
})
