import { defineEvents } from '../define-events.ts'

/** Messages to people: mails and chats. */
export const MESSAGE_EVENTS = defineEvents({
  'messages.scan_failed': {
    level: 'error',
    message: 'Could not list organizations with news for their members; retrying in 2 s.',
    meaning: 'Messages are late until a round succeeds. Decisions continue.',
    action: 'Check the database if it repeats.',
  },
  'messages.gather_failed': {
    level: 'error',
    message: 'Could not queue the messages of an organization; retrying in 2 s.',
    meaning: 'Its messages are late. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'messages.send_scan_failed': {
    level: 'error',
    message: 'Could not list due messages; retrying in 1 s.',
    meaning: 'Messages are late until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'messages.claim_failed': {
    level: 'error',
    message: 'Could not lease a message, or store its result; retrying.',
    meaning:
      'If the message was sent and only its result is missing, it is sent once more after a minute.',
    action: 'Check the database if it repeats.',
  },
  'messages.attempt_failed': {
    level: 'error',
    message: 'A message could not be written because of a defect; retrying later.',
    meaning: 'The message is late. Other messages are not affected.',
    action: 'Report the line.',
  },
  'messages.send_failed': {
    level: 'warn',
    message: 'Could not send a message; retrying.',
    meaning:
      '`reason` has the status of the SMTP server or chat, or the error of the connection. `retryInMs` is the delay before the next attempt.',
    action:
      'For the channel `mail`, run `purser doctor` and check PURSER_SMTP_URL. A chat belongs to its organization.',
  },
  'messages.sign_in_refused': {
    level: 'error',
    message: 'The SMTP server refused the user or password of PURSER_SMTP_URL; retrying.',
    meaning: 'No mail is sent until the sign-in works. Messages wait and are retried for 10 hours.',
    action:
      'Correct PURSER_SMTP_URL, with special characters of the password encoded, check it with `purser doctor`, and restart the gateway.',
  },
  'messages.tls_failed': {
    level: 'error',
    message: 'There is no trusted TLS connection to the SMTP server; retrying.',
    meaning:
      'With `reason` `smtp_certificate_refused`, Node does not trust the certificate, or it has expired or names a different host. With `smtp_no_tls`, the server offers no STARTTLS. No mail and no password was sent.',
    action:
      'Correct the certificate, or add its authority with NODE_EXTRA_CA_CERTS. For a server without TLS in a network that you trust, add `?tls=off` to PURSER_SMTP_URL. Restart the gateway.',
  },
  'messages.given_up': {
    level: 'warn',
    message: 'A message was not sent; not retrying.',
    meaning:
      'The last retry failed, or the SMTP server refused the recipient. The thing itself, such as an approval, is not affected.',
    action: 'Check the SMTP server if many messages are affected.',
  },
  'messages.invitation_not_mailed': {
    level: 'warn',
    message:
      'An invitation was not mailed, because too many were mailed within a day; its link works all the same.',
    meaning:
      'An address gets at most 3 invitations a day from an organization, which mails at most 200. The link was shown to the person who made the invitation.',
    action: 'Nothing, unless a member abuses invitations.',
  },
})
