import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inviteMember, mailInvitations } from '../../src/operator/manage-members.ts'
import { checkMail } from '../../src/process/doctor/receivers.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { type Certificate, createCertificate } from '../support/certificate.ts'
import { createTemporaryFolder, describeOnPostgres, usualEngine } from '../support/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import {
  type MailServer,
  type MailServerTls,
  SMTP_PASSWORD,
  SMTP_USER,
  startMailServer,
} from '../support/mail-server.ts'
import { messagesOf } from '../support/messages.ts'
import { recordLog } from '../support/recorded-log.ts'
import { sealer } from '../support/tenant.ts'
import { waitUntil } from '../support/wait-until.ts'

/* Mails over TLS, and settings with which no mail can be sent. The server is real. */

const MODES = ['smtps', 'starttls'] as const
let certificate: Certificate
let app: TestApp
let server: MailServer
beforeAll(() => {
  certificate = createCertificate()
})
beforeEach(async () => {
  app = await createTestApp(usualEngine())
})
afterEach(async () => {
  await app?.stop()
  await server?.close()
})

async function startServer(mode: MailServerTls['mode']): Promise<MailServer> {
  server = await startMailServer(0, { ...certificate, mode })
  return server
}

/** Queues a mail, as `purser members invite` does. */
async function invite(): Promise<void> {
  await app.organization()
  const wanted = { organizationId: undefined, email: 'bob@example.com', role: 'viewer' } as const
  const mail = mailInvitations({ sealer })
  const invited = await inviteMember(app.database, { ...wanted, name: null }, mail)
  expect(invited.mail).toBe('queued')
}

/** Runs rounds of a gateway with these settings until an attempt has failed, and returns its line. */
async function lineOf(smtp: MailServer['smtp']) {
  const { log, lines } = recordLog()
  const messages = messagesOf(app, smtp, { log })
  await invite()
  await waitUntil(async () => {
    await messages.round()
    return lines.length > 0
  })
  await messages.stop()
  expect(JSON.stringify(lines)).not.toContain(smtp.password)
  expect(server.mails).toEqual([])
  return lines[0]
}

describeOnPostgres('a gateway that trusts the certificate with NODE_EXTRA_CA_CERTS', () => {
  let gateway: GatewayProcess | undefined
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    folder = await createTemporaryFolder()
  })
  afterEach(async () => {
    await gateway?.stop()
    await folder.remove()
  })

  test.each(MODES)('sends mails with %s, and signs in only over TLS', async (mode) => {
    const { smtp } = await startServer(mode)
    const authority = join(folder.path, 'authority.pem')
    await writeFile(authority, certificate.cert)
    const scheme = mode === 'smtps' ? 'smtps' : 'smtp'
    const user = `${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}`
    await invite()
    gateway = await startGatewayProcess({
      DATABASE_URL: app.database.url,
      NODE_EXTRA_CA_CERTS: authority,
      // A server on this machine needs no TLS unless the URL says so.
      PURSER_SMTP_URL: `${scheme}://${user}@127.0.0.1:${smtp.port}?tls=required`,
      PURSER_MAIL_FROM: 'Purser <purser@example.com>',
    })
    await waitUntil(() => server.mails.length === 1)
    expect(server.mails[0]).toMatchObject({ to: ['bob@example.com'] })
    expect(server.signIns()).toBe(1)
  })
})

describe('a gateway that does not trust the certificate', () => {
  test.each(MODES)('sends nothing with %s, not even its password, and logs it', async (mode) => {
    const { smtp } = await startServer(mode)
    expect(await lineOf(smtp)).toMatchObject({
      event: 'messages.tls_failed',
      reason: 'smtp_certificate_refused',
    })
    expect(server.signIns()).toBe(0)
    const check = await checkMail({ smtp })
    expect([check.status, check.text]).toEqual(['warn', expect.stringContaining('self-signed')])
  })
})

test('a server without STARTTLS gets neither a mail nor the password if TLS is required', async () => {
  server = await startMailServer()
  const line = await lineOf({ ...server.smtp, startTls: 'required' })
  expect(line).toMatchObject({ event: 'messages.tls_failed', reason: 'smtp_no_tls' })
  expect(server.signIns()).toBe(0)
})

test('a wrong password has a line in the log that names the setting, and the mail waits', async () => {
  server = await startMailServer()
  const line = await lineOf({ ...server.smtp, password: 'a wrong password' })
  expect(line).toMatchObject({
    event: 'messages.sign_in_refused',
    msg: expect.stringContaining('PURSER_SMTP_URL'),
    reason: 'smtp_sign_in_refused',
  })
  const rows = await app.rows('select status, failures from messages')
  expect(rows).toEqual([{ status: 'waiting', failures: 1 }])
})
