import type { SmtpSettings } from '../../src/messages/mailer.ts'
import { type Messages, type MessagesParts, startMessages } from '../../src/messages/messages.ts'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { type Client, type Owner, TEST_CONFIG, type TestApp } from './app.ts'
import { aSpender } from './approvals.ts'
import { anActiveMandate } from './builders.ts'
import { silentLog } from './silent-log.ts'

export const PUBLIC_URL = 'https://purser.test'

/** No process listens there, so mails wait. */
export const NO_SMTP: SmtpSettings = {
  ...{ host: '127.0.0.1', port: 1, isSecure: false, startTls: 'off' },
  ...{ user: undefined, password: undefined },
  from: { name: '', address: 'purser@example.com' },
}

/** The key of the apps of tests. */
const sealer = createSealer(Buffer.alloc(32, 7))

/** Starts the messages of an app: the gateway starts them after it listens, and an app does not. */
export function messagesOf(
  { database, time }: TestApp,
  smtp: SmtpSettings | undefined,
  change: Partial<MessagesParts> = {},
): Messages {
  const outbound = createOutboundClient(TEST_CONFIG.outbound)
  const messages = startMessages({
    ...{ db: database.db, sealer, clock: time.read, log: silentLog, outbound, smtp },
    publicUrl: () => PUBLIC_URL,
    ...change,
  })
  return {
    round: messages.round,
    async stop() {
      await messages.stop()
      await outbound.close()
    },
  }
}

export const ASKS = { type: 'approval', above: 5 }

/** An agent whose spends above 5 need approval, and a client that spends for it. */
export async function anAskingAgent(
  app: TestApp,
  owner: Owner,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly agentId: string; readonly spender: Client }> {
  const { agentId } = await anActiveMandate(owner, { rules: [ASKS], ...fields })
  return { agentId, spender: await aSpender(app, owner, agentId) }
}
