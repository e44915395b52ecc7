import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway-process.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openCardDesk, SECRETS, signedByStripe } from './desk.ts'
import { STRIPE_CARD, sample } from './door.ts'

const TRIES_MAX = 20

describeOnPostgres('an issuer whose gateway is killed between decision and answer', () => {
  test('repeats its question at another gateway, and gets what was decided, each time', async () => {
    const app = await createTestApp('postgres')
    onTestFinished(app.stop)
    const proxy = await startTcpProxy(app.database.url)
    onTestFinished(proxy.close)
    const desk = await openCardDesk({
      app,
      budget: 10_000,
      connection: { provider: 'stripe' },
      card: { externalId: STRIPE_CARD },
    })
    const first = await startGatewayProcess({ DATABASE_URL: proxy.url })
    onTestFinished(first.kill)
    const path = `/ingest/stripe/${desk.token}/authorization`
    const ask = async ({ url }: GatewayProcess, body: string) => {
      const headers = signedByStripe(body, SECRETS.authorization)
      const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers })
      return answer.text()
    }
    const stored = async (name: string) => {
      const text = `select data ->> 'transactionId' as id from card_facts where authorization_id = $1`
      return app.rows<{ id: string }>(text, [name])
    }

    // Other work of the gateway commits as well, so it may take a few tries to stop the right one.
    const stuck = await findStuck(async (attempt) => {
      const name = `iauth_${attempt}`
      const body = JSON.stringify(sample('stripe/01_request_initial')).replaceAll(
        'iauth_test_A1',
        name,
      )
      const goOn = proxy.stallAnswerTo('commit')
      let isAnswered = false
      const asked = ask(first, body).then(
        () => {
          isAnswered = true
        },
        () => {},
      )
      await waitUntil(async () => isAnswered || (await stored(name)).length === 1)
      // An answer that is on its way has arrived by the time that the next question is answered.
      await fetch(`${first.url}/healthz`)
      if (!isAnswered) return { name, body, asked }
      goOn()
      return undefined
    })
    await first.kill()
    await stuck.asked

    const second = await startGatewayProcess({ DATABASE_URL: app.database.url })
    onTestFinished(second.stop)
    const answers = [await ask(second, stuck.body), await ask(second, stuck.body)]
    expect(answers[1]).toBe(answers[0])
    const [{ id } = { id: '' }] = await stored(stuck.name)
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({
      approved: true,
      metadata: { purser_authorization: `txn_${id.replaceAll('-', '')}` },
    })
    expect(await audit(app.database.db)).toEqual([])
  })
})

async function findStuck<T>(attempt: (count: number) => Promise<T | undefined>): Promise<T> {
  for (let count = 1; count <= TRIES_MAX; count++) {
    const found = await attempt(count)
    if (found !== undefined) return found
  }
  throw new Error('No decision could be stopped between its commit and its answer.')
}
