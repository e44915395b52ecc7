import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalsText } from '../../src/core/messages/texts.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { anAskingAgent } from '../support/messages.ts'
import { aBrowser, aMember } from '../support/people.ts'
import { BROWSER, PAGE, type ServedConsole, startConsole } from './built-console.ts'

let served: ServedConsole
beforeAll(async () => {
  served = await startConsole()
})
afterAll(() => served?.stop())

/** The address that a mail about this approval links to. */
function linkTo(id: string): string {
  const approval = { id, agent: 'Buyer', amount: '20 USD', vendor: 'shop.example', expiresAt: 0 }
  const frame = { organization: 'Acme', publicUrl: served.url }
  const [, link] = approvalsText(frame, [approval], 0).text.match(/^ {2}(http\S+)$/m) ?? []
  return link ?? ''
}

test('the link of a mail shows nothing of the approval without a sign-in', async () => {
  const acme = await served.app.organization()
  const approver = await aMember(served.app, acme, { role: 'approver' })
  const { agentId, spender } = await anAskingAgent(served.app, acme)
  const id = await askFor(spender, agentId, { amount: 20, vendor: 'shop.example' })
  const { pathname } = new URL(linkTo(id))
  expect(pathname).toContain(id)

  // The page is a file of the console, the same as for an approval that does not exist.
  const { status, text, headers } = await served.send(pathname, BROWSER)
  expect([status, text]).toEqual([200, PAGE])
  expect(headers).not.toHaveProperty('set-cookie')
  const unknown = await served.send(pathname.replaceAll(/\d/g, '0'), BROWSER)
  expect([unknown.status, unknown.text]).toEqual([200, PAGE])

  // The page then asks the API, which needs a session.
  const address = `/api/v1${pathname}`
  const visitor = aBrowser(served.app)
  for (const answer of [
    await visitor.get(address),
    await visitor.get('/api/v1/approvals'),
    await visitor.post(`${address}/decision`, { decision: 'approve' }),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
    expect(answer.text).not.toMatch(/shop\.example|pending/)
  }
  const shown = bodyOf(await approver.get(address))
  expect(shown).toMatchObject({ status: 'pending', vendor: 'shop.example', amount: 20 })
})
