import { expect, test } from 'vitest'
import { ownPath } from '../../src/screens/doors/own-path.ts'

const ORIGIN = 'https://purser.example'

test.each(['/agents?status=paused', '/audit/12#top', '/'])('%s is a path of this page', (link) => {
  expect(ownPath(link, ORIGIN)).toBe(link)
})

test.each([
  ...['//evil.example', '/\\evil.example', '/\t/evil.example', '/.//evil.example', '/%5c/..//e.x'],
  ...['https://evil.example', 'javascript:alert(1)', 'agents', ''],
])('%j leads to a different site, or nowhere', (link) => {
  const path = ownPath(link, ORIGIN)
  expect(path === undefined || new URL(path, ORIGIN).origin === ORIGIN).toBe(true)
  expect(path?.startsWith('//') ?? false).toBe(false)
})
