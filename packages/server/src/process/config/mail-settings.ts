import type { Settings } from '../../base/setting.ts'

/** The settings of mails to people. */
export const MAIL_SETTINGS = {
  PURSER_SMTP_URL: {
    description:
      'SMTP server for messages to people: `smtp` (port 587, STARTTLS) or `smtps` (port 465). Without this setting the gateway sends no mail. The parameter `tls` is `required` (the default, except on this machine), `optional` or `off`. With TLS, Node must trust the certificate; `NODE_EXTRA_CA_CERTS` adds an authority. Encode special characters of the password.',
    defaultNote: 'no mail',
    example: 'smtp://user:password@mail.example:587',
    isSecret: true,
    showsUrl: 'path',
    guide: 'guide-messages.md',
  },
  PURSER_MAIL_FROM: {
    description:
      'Sender of mails: an address, or a name and an address. Required with `PURSER_SMTP_URL`.',
    example: 'Purser <purser@example.com>',
    guide: 'guide-messages.md',
  },
} as const satisfies Settings
