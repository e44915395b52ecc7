import { benchSwitched } from './switched.ts'

/*
 * The cost of the worker that follows decisions and queues messages to people. The load raises no
 * approval and no warning, so no mail is written: this is the cost beside each decision.
 */

await benchSwitched({
  name: 'messages',
  title: 'With an SMTP server, against without',
  settings: {
    PURSER_SMTP_URL: 'smtp://127.0.0.1:1',
    PURSER_MAIL_FROM: 'purser@example.com',
  },
})
