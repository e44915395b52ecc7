import { defineEvents } from '../define-events.ts'

/** Requests. */
export const HTTP_EVENTS = defineEvents({
  'http.request': {
    level: 'debug',
    message: 'Answered a request.',
    meaning: 'One line per request, at the log levels debug and trace only.',
    action: 'Nothing.',
  },
  'http.request_failed': {
    level: 'error',
    message: 'A request failed; its caller gets an error or a decline.',
    meaning:
      '`problem` is the error code of the answer, `detail` its sentence, and `err` the cause. API callers got a 5xx error; card issuers got a decline. With `internal_error` it is a defect.',
    action: 'Search by `requestId`. Report a defect together with the line.',
  },
  'http.overloaded': {
    level: 'warn',
    message: 'More requests wait than can be answered in time; refusing further ones.',
    meaning:
      'The gateway or its database is slower than the traffic. API callers get 503 and should retry; card authorizations are declined.',
    action: 'Check the load of the database; add CPU, or send less traffic.',
  },
  'http.proxy_untrusted': {
    level: 'warn',
    message:
      'A peer that is not trusted sends X-Forwarded-For, so the header is ignored: sign-in attempts of everyone behind it count as one address. If the peer is your proxy, add its network to PURSER_TRUSTED_PROXIES.',
    meaning: 'Reported once per process, for the first such `peer`.',
    action: 'Set PURSER_TRUSTED_PROXIES if `peer` is your reverse proxy.',
  },
  'http.framework': {
    level: 'info',
    message: 'A message of the HTTP framework.',
    meaning: 'Fastify, the HTTP framework, wrote the line, with its own message and level.',
    action: 'Nothing for info. Report warnings and errors: they are defects.',
  },
  'tokens.issued': {
    level: 'info',
    message: 'Issued a mandate token.',
    meaning:
      'A key or a member got a signed token for `agentId`; `jti` identifies it, `audience` names its recipient.',
    action: 'Nothing. Revoke the token by its `jti` if it should not exist.',
  },
})
