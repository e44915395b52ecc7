import { describe, expect, test } from 'vitest'
import { hasScope, SCOPES, type Scope } from '../../../src/core/api-key.ts'
import {
  isRole,
  managesPeople,
  mayManage,
  ROLE_NAMES,
  type Role,
  rolesWith,
  scopesOf,
} from '../../../src/core/people/role.ts'

const held = (role: Role): Scope[] =>
  SCOPES.filter((scope) => hasScope({ scopes: scopesOf(role) }, scope))

describe('a role', () => {
  test('owner and admin have every scope', () => {
    expect(held('owner')).toEqual(SCOPES)
    expect(held('admin')).toEqual(SCOPES)
  })

  test('viewer reads everything but keys, and writes nothing', () => {
    const reads = SCOPES.filter((scope) => scope.endsWith(':read'))
    expect(held('viewer')).toEqual(reads.filter((scope) => scope !== 'keys:read'))
  })

  test('approver may do one thing more than viewer: decide on approvals', () => {
    const more = held('approver').filter((scope) => !held('viewer').includes(scope))
    expect(more).toEqual(['approvals:write'])
  })

  test('has a scope or does not', () => {
    expect(rolesWith('approvals:write')).toEqual(['owner', 'admin', 'approver'])
    expect(rolesWith('keys:read')).toEqual(['owner', 'admin'])
  })

  test('owner manages everyone, admin everyone but owners, the others nobody', () => {
    const managed = ROLE_NAMES.map((manager) => [
      manager,
      ROLE_NAMES.filter((other) => mayManage(manager, other)),
    ])
    expect(Object.fromEntries(managed)).toEqual({
      owner: ['owner', 'admin', 'approver', 'viewer'],
      admin: ['admin', 'approver', 'viewer'],
      approver: [],
      viewer: [],
    })
    expect(ROLE_NAMES.filter(managesPeople)).toEqual(['owner', 'admin'])
  })

  test('is known by its exact name', () => {
    expect(['owner', 'Owner', 'toString', ''].map(isRole)).toEqual([true, false, false, false])
  })
})
