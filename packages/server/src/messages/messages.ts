import type { AttemptParts } from './attempt.ts'
import { type GatherParts, startGathering } from './gather.ts'
import { createMailer, type SmtpSettings } from './mailer.ts'
import { startSender } from './send.ts'

export type MessagesParts = Omit<GatherParts, 'hasMail'> &
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
  const gathering = startGathering({ ...parts, hasMail: mailer !== undefined })
  const sender = startSender({ ...parts, mailer })
  return {
    async round() {
      await gathering.round()
      await sender.round()
    },
    async stop() {
      await gathering.stop()
      await sender.stop()
    },
  }
}
