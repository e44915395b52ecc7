import { afterEach, beforeEach, expect } from 'vitest'
import type { Messages } from '../../src/messages/messages.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { messagesOf } from '../support/messages.ts'
import { waitUntil } from '../support/wait-until.ts'

export const MINUTE_MS = 60_000

/** An app with a real SMTP server, fresh for each test. */
export interface MailStage {
  app: TestApp
  server: MailServer
  acme: Owner
  /** Starts the messages; a later entry of the feed counts as news. */
  start(): Promise<Messages>
  /** Stops these messages after the test. */
  keep(messages: Messages): Messages
  stopMessages(): Promise<void>
  /** Moves the clock forward. */
  pass(ms: number): void
  statuses(): Promise<string[]>
  /** Runs rounds until this many mails have arrived, and checks that there are no more. */
  mailsOf(messages: Messages, count: number): Promise<readonly ReceivedMail[]>
}

export function useMailStage(): MailStage {
  const running: Messages[] = []
  const stage = {
    keep(messages: Messages): Messages {
      running.push(messages)
      return messages
    },
    async start() {
      const messages = stage.keep(messagesOf(stage.app, stage.server.smtp))
      await messages.round()
      return messages
    },
    async stopMessages() {
      for (const messages of running.splice(0)) await messages.stop()
    },
    pass(ms: number) {
      stage.app.clock.now = (stage.app.clock.now ?? Date.now()) + ms
    },
    async statuses() {
      const text = 'select status from messages order by id'
      const rows = await stage.app.rows<{ status: string }>(text)
      return rows.map(({ status }) => status)
    },
    async mailsOf(messages: Messages, count: number) {
      await waitUntil(async () => {
        await messages.round()
        return stage.server.mails.length >= count
      })
      const leased = () => stage.app.rows('select 1 from messages where lease_id is not null')
      await waitUntil(async () => (await leased()).length === 0)
      expect(stage.server.mails).toHaveLength(count)
      return stage.server.mails
    },
  } as MailStage
  beforeEach(async () => {
    stage.server = await startMailServer()
    stage.app = await createTestApp(usualEngine(), { smtp: stage.server.smtp })
    stage.acme = await stage.app.organization()
  })
  afterEach(async () => {
    await stage.stopMessages()
    await stage.app?.stop()
    await stage.server?.close()
  })
  return stage
}
