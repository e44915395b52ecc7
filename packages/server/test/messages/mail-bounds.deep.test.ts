import { describe, expect, test } from 'vitest'
import { RETRY_DELAYS_MS } from '../../src/messages/attempt.ts'
import type { Messages } from '../../src/messages/messages.ts'
import { SENT_PER_HOUR_MAX } from '../../src/messages/send.ts'
import { toPage } from '../../src/metrics/page.ts'
import { createMetering } from '../../src/process/observation/metering.ts'
import { bodyOf } from '../support/builders.ts'
import { messagesOf } from '../support/messages.ts'
import { readSeries } from '../support/metrics.ts'
import { aMember, type Person } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'
import { MINUTE_MS, useMailStage } from './mail-stage.ts'

/* How many messages an organization may send, and the metric that counts them. */

const stage = useMailStage()

async function invite(ada: Person, name: string): Promise<string> {
  const body = { email: `${name}@example.com`, role: 'viewer' }
  return bodyOf(await ada.post('/console/api/invitations', body)).id
}

describe('the bound of messages per hour', () => {
  /** The organization has sent this many messages within the last half hour. */
  async function hasSent(count: number): Promise<void> {
    await stage.app.rows(
      `insert into messages (organization_id, id, channel, kind, recipient_id, items, item_count,
                             status, due_at, created_at, ended_at)
       select $1, gen_random_uuid(), 'mail', 'approvals', $1, '{}', 1, 'sent', now(), now(),
              now() - n * interval '1 second'
       from generate_series(1, $2::integer) n`,
      [stage.acme.organizationId, count],
    )
  }

  test('lets the last message go, and the next one waits until the hour is over', async () => {
    const ada = await aMember(stage.app, stage.acme)
    await hasSent(SENT_PER_HOUR_MAX - 1)
    await invite(ada, 'bob')
    await invite(ada, 'cleo')
    const messages = await stage.start()
    await stage.mailsOf(messages, 1)
    for (let n = 0; n < 3; n++) await messages.round()
    expect(stage.server.mails).toHaveLength(1)
    const waiting = () =>
      stage.app.rows("select failures from messages where status = 'waiting' and lease_id is null")
    expect(await waiting()).toEqual([{ failures: 0 }])
    stage.pass(61 * MINUTE_MS)
    await stage.mailsOf(messages, 2)
  })

  test('counts for one organization alone', async () => {
    await hasSent(SENT_PER_HOUR_MAX)
    const other = await stage.app.organization('Other')
    await invite(await aMember(stage.app, stage.acme), 'bob')
    await invite(await aMember(stage.app, other), 'cleo')
    const [mail] = await stage.mailsOf(await stage.start(), 1)
    expect(mail?.to).toEqual(['cleo@example.com'])
  })
})

test('purser_messages_total counts each attempt by kind, channel and outcome', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const metering = createMetering()
  const { onMessage } = metering
  const messages: Messages = stage.keep(messagesOf(stage.app, stage.server.smtp, { onMessage }))
  const countOf = async (outcome: string): Promise<number | undefined> => {
    const labels = `kind="invitation",channel="mail",outcome="${outcome}"`
    return readSeries(toPage(await metering.read()), `purser_messages_total{${labels}}`)
  }
  const until = async (outcome: string, count: number): Promise<void> => {
    await waitUntil(async () => {
      await messages.round()
      return (await countOf(outcome)) === count
    })
  }
  await invite(ada, 'bob')
  await until('sent', 1)

  // A refusal for now is retried, one for good is not.
  stage.server.refuse((to) => (to.startsWith('cleo') ? 450 : 550))
  await invite(ada, 'dan')
  await until('failed', 1)

  const id = await invite(ada, 'cleo')
  await until('retried', 1)
  bodyOf(await ada.delete(`/console/api/invitations/${id}`))
  stage.pass(RETRY_DELAYS_MS[0] ?? 0)
  await until('dropped', 1)
  expect(await Promise.all(['sent', 'failed', 'retried', 'dropped'].map(countOf))).toEqual([
    1, 1, 1, 1,
  ])
})
