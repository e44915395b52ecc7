import { describe, expect, it } from 'vitest'
import type { Member } from '../../src/generated/console-api.ts'
import { browserName } from '../../src/screens/settings/me/browser-name.ts'
import {
  grantableRoles,
  isLastOwner,
  linkOf,
  refusalFor,
} from '../../src/screens/settings/members/rights.ts'

function member(fields: Partial<Member>): Member {
  return {
    ...{ id: 'mem_1', email: 'ada@example.com', name: 'Ada', role: 'owner' },
    ...{ createdAt: '2026-11-01T00:00:00.000Z', createdBy: 'cli' },
    ...fields,
  }
}

describe('who manages members', () => {
  it('lets an admin manage everyone but owners', () => {
    expect(grantableRoles('admin')).not.toContain('owner')
    expect(refusalFor('admin', member({}))).toBe('Only an owner can change owners.')
    expect(refusalFor('admin', member({ role: 'admin' }))).toBeUndefined()
    expect(refusalFor('viewer', member({ role: 'viewer' }))).toBe('For owners and admins.')
  })

  it('knows the last owner', () => {
    const ada = member({})
    const bo = member({ id: 'mem_2', role: 'admin' })
    expect(isLastOwner(ada, [ada, bo])).toBe(true)
    expect(isLastOwner(ada, [ada, { ...bo, role: 'owner' }])).toBe(false)
    expect(isLastOwner(bo, [ada, bo])).toBe(false)
  })

  it('leads a link to this gateway if the operator set no public URL', () => {
    expect(linkOf({ url: null, token: 'abc' }, 'http://localhost:3000')).toBe(
      'http://localhost:3000/accept#abc',
    )
  })
})

describe('the name of a browser', () => {
  it('is short', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
    expect(browserName(chrome)).toBe('Chrome on Linux')
    expect(browserName(`${chrome} Edg/142.0`)).toBe('Edge on Linux')
    expect(browserName('curl/8.5.0')).toBe('curl')
    expect(browserName('')).toBe('Unknown program')
  })
})
