import { expect, test } from 'vitest'
import { hrefOf, matchPath } from '../../src/router/address.ts'
import { match, type Screen } from '../../src/router/screen.ts'
import { later } from '../../src/ui/later.ts'

const HERE = { pathname: '/agents', search: { status: 'active', q: 'a b' } }

test.each([
  [{ to: '/agents/$id', params: { id: 'a/b' } }, '/agents/a%2Fb'],
  [{ to: '/connect/{-$tab}', params: { tab: 'sdk' } }, '/connect/sdk'],
  [{ to: '/connect/{-$tab}' }, '/connect'],
  [{ to: '/keys', search: { sort: 'name', agent: undefined, status: '' } }, '/keys?sort=name'],
  [{ to: '.', search: true }, '/agents?status=active&q=a+b'],
  [
    { search: (before: object) => ({ ...before, q: undefined, new: true }) },
    '/agents?status=active&new=true',
  ],
  [{ to: '/' }, '/'],
  [{ href: '/audit?kind=x' }, '/audit?kind=x'],
] as const)('the address of %j is %s', (target, href) => {
  expect(hrefOf(target, HERE)).toBe(href)
})

test.each([
  ['/agents/$id', '/agents/a%2Fb', { id: 'a/b' }],
  ['/agents/$id', '/agents/100%', { id: '100%' }],
  ['/agents/$id', '/agents', undefined],
  ['/agents/$id', '/agents/1/2', undefined],
  ['/agents', '/agents/', {}],
  ['/connect/{-$tab}', '/connect', {}],
  ['/connect/{-$tab}', '/connect/sdk', { tab: 'sdk' }],
  ['/cards/connections/$id', '/cards/connections/7', { id: '7' }],
  ['/', '/', {}],
  ['/', '/agents', undefined],
])('the pattern %s reads %s as %j', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params)
})

const view = later(async () => () => null)
const enter = async () => {}
const SCREENS: readonly Screen[] = [
  { paths: ['/keys', '/keys/new'], search: ['sort'], view, enter },
  { paths: ['/agents/$id'], view, enter },
]

test('a screen gets the parameters that it knows, and the rest is reported', () => {
  const dropped: number[] = []
  const found = match(SCREENS, new URL('http://h/keys/new?sort=name&x=1&y=2'), (count) => {
    dropped.push(count)
  })
  expect(found).toEqual({ screen: SCREENS[0], params: {}, search: { sort: 'name' } })
  expect(dropped).toEqual([2])
})

test('a screen without a list keeps all parameters', () => {
  const found = match(SCREENS, new URL('http://h/agents/7?x=1'))
  expect(found).toEqual({ screen: SCREENS[1], params: { id: '7' }, search: { x: '1' } })
})

test('an address can have no screen', () => {
  expect(match(SCREENS, new URL('http://h/nowhere')).screen).toBeUndefined()
})
