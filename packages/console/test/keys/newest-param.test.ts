import { expect, test } from 'vitest'
import { lastPart } from '../../src/keys/use-newest-param.ts'

test.each([
  ['/approvals/apr_1', '/approvals', 'apr_1'],
  ['/approvals', '/approvals', undefined],
  ['/approvals/', '/approvals', undefined],
  ['/approvals-old/apr_1', '/approvals', undefined],
  ['/settings/webhook/dlv_1/more', '/settings/webhook', undefined],
])('of %s below %s is %s', (path, folder, id) => {
  expect(lastPart(path, folder)).toBe(id)
})
