import { hasMessageChats } from '../storage/messages/chats.ts'
import type { AttemptParts } from './attempt.ts'
import { type GatherParts, startGathering } from './gather.ts'
import { createMailer, type SmtpSettings } from './mailer.ts'
import { createNeed } from './need.ts'
import { startSender } from './send.ts'

export type MessagesParts = Omit<GatherParts, 'hasMail' | 'need'> &
  Omit<AttemptParts, 'mailer'> & {
    /** Undefined: no mails, only chats. */
    readonly smtp: SmtpSettings | undefined
  }

/** The messages to people. */
export interface Messages {
  /** Gathers and sends now, for tests and the demo. */
  round(): Promise<void>
  stop(): Promise<void>
}

/** Starts to gather and send messages. Requests never wait for it. */
export function startMessages({ smtp, ...parts }: MessagesParts): Messages {
  const mailer = smtp && createMailer(smtp)
  const hasMail = mailer !== undefined
  const need = createNeed(async () => hasMail || (await hasMessageChats(parts.db)))
  const gathering = startGathering({ ...parts, hasMail, need })
  const sender = startSender({ ...parts, mailer, need })
  return {
    async round() {
      need.forget()
      await gathering.round()
      await sender.round()
    },
    async stop() {
      await gathering.stop()
      await sender.stop()
    },
  }
}
