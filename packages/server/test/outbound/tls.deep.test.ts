import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createOutboundClient, type OutboundResult } from '../../src/outbound/outbound-client.ts'
import { type Child, startChild } from '../support/child-process.ts'
import { waitUntil } from '../support/wait-until.ts'
import { okWith, portOf, startRawServer } from './raw-server.ts'

const CALLER = new URL('call-once.ts', import.meta.url)

interface Barrier {
  readonly port: number
  hasEnded(): boolean
  open(): void
  close(): Promise<void>
}

let folder: string
let certificate: { readonly key: Buffer; readonly cert: Buffer }
let server: Server | undefined
const children: Child[] = []
const hosts: (string | undefined)[] = []
const serverNames: (string | false | null | undefined)[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'purser-outbound-'))
  certificate = createCertificate('hooks.example')
})
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
  vi.unstubAllEnvs()
  hosts.length = 0
  serverNames.length = 0
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Self-signed, for the name and for 127.0.0.1. */
function createCertificate(name: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const options = `-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name}`
  const alternatives = ['-addext', `subjectAltName=DNS:${name},IP:127.0.0.1`]
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', ...options.split(' '), ...alternatives, ...files], {
    stdio: 'pipe',
  })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

async function startTlsServer(options: TlsOptions = {}): Promise<number> {
  const started = createServer({ ...certificate, ...options }, (request, response) => {
    hosts.push(request.headers.host)
    response.end('fine')
  })
  started.on('secureConnection', ({ servername }) => serverNames.push(servername))
  started.on('tlsClientError', () => {})
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return portOf(started)
}

async function call(url: string): Promise<OutboundResult> {
  const client = createOutboundClient(
    { allowLoopback: true, allowedNetworks: [] },
    { resolve: async () => ['127.0.0.1'] },
  )
  const request = { method: 'POST', url, headers: {}, body: '{}' } as const
  const result = await client.call({ ...request, timeoutMs: 120_000, answerBytesMax: 100 })
  await client.close()
  return result
}

/** Runs in a process that trusts the certificate, because Node reads that setting only once. */
function startTrusting(parameters: readonly string[]): Child {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'hooks.example.pem'))
  const child = startChild(CALLER, parameters)
  children.push(child)
  return child
}

async function callTrusting(url: string): Promise<unknown> {
  const child = startTrusting([url])
  const { code, errors } = await child.waitForExit()
  expect(errors).toBe('')
  expect(code).toBe(0)
  return JSON.parse(child.lines[0] ?? '')
}

/** A relay to a port of this machine that forwards nothing until it is opened. */
async function startBarrier(target: number): Promise<Barrier> {
  const waiting: Socket[] = []
  let ended = 0
  const barrier = createTcpServer((socket) => {
    waiting.push(socket)
    socket.on('error', () => {}).on('close', () => ended++)
  })
  await new Promise<void>((resolve) => barrier.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(barrier),
    hasEnded: () => ended > 0,
    open: () => {
      for (const socket of waiting) socket.pipe(connect(target, '127.0.0.1')).pipe(socket)
    },
    close: () => new Promise((resolve) => barrier.close(() => resolve())),
  }
}

test('the certificate is checked against the name, and the connection goes to the address', async () => {
  const port = await startTlsServer()
  expect(await callTrusting(`https://hooks.example:${port}/`)).toMatchObject({
    status: 200,
    remoteAddress: '127.0.0.1',
  })
  expect(hosts).toEqual([`hooks.example:${port}`])
  expect(serverNames).toEqual(['hooks.example'])
})

test('a trusted certificate for a different name is refused', async () => {
  const port = await startTlsServer()
  expect(await callTrusting(`https://other.example:${port}/`)).toEqual({
    kind: 'failure',
    reason: 'tls_failed',
    message: 'Could not establish a trusted TLS connection (ERR_TLS_CERT_ALTNAME_INVALID).',
    remoteAddress: '127.0.0.1',
  })
  expect(hosts).toEqual([])
})

test('an address without a name is checked against the certificate as an address', async () => {
  const port = await startTlsServer()
  expect(await callTrusting(`https://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
  expect(hosts).toEqual([`127.0.0.1:${port}`])
  expect(serverNames).toEqual([false])
})

test('an untrusted certificate is refused', async () => {
  const port = await startTlsServer()
  expect(await call(`https://hooks.example:${port}/`)).toEqual({
    kind: 'failure',
    reason: 'tls_failed',
    message: 'Could not establish a trusted TLS connection (DEPTH_ZERO_SELF_SIGNED_CERT).',
    remoteAddress: '127.0.0.1',
  })
  expect(hosts).toEqual([])
})

test('an environment variable does not turn the check off', async () => {
  const port = await startTlsServer()
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(await call(`https://hooks.example:${port}/`)).toMatchObject({ reason: 'tls_failed' })
  expect(hosts).toEqual([])
})

test('a receiver that supports only TLS 1.1 is refused', async () => {
  const ciphers = 'DEFAULT@SECLEVEL=0'
  const port = await startTlsServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers })
  expect(await callTrusting(`https://hooks.example:${port}/`)).toMatchObject({
    reason: 'tls_failed',
  })
  expect(hosts).toEqual([])
})

test.each([
  ['answers in plain HTTP', okWith('fine')],
  ['sends garbage', '\x00\x01\x02\x03garbage'],
  ['hangs up', ''],
])('a receiver that %s to the TLS handshake is reported as such', async (_, text) => {
  const plain = await startRawServer((socket) => socket.end(text, 'latin1'))
  const result = await call(`https://hooks.example:${plain.port}/`)
  expect(result).toMatchObject({ reason: 'tls_failed', remoteAddress: '127.0.0.1' })
  await plain.close()
})

test('a request whose deadline passes during the handshake is not sent afterwards', async () => {
  const port = await startTlsServer()
  const barrier = await startBarrier(port)
  const child = startTrusting([`https://hooks.example:${barrier.port}/`, '2000', 'stay'])
  expect(await child.waitForLine(() => true)).toContain('"reason":"timeout"')
  expect(barrier.hasEnded()).toBe(false)
  barrier.open()
  await waitUntil(() => barrier.hasEnded())
  expect(hosts).toEqual([])
  await barrier.close()
})

test('a TLS receiver that is called over plain HTTP gives no answer', async () => {
  const port = await startTlsServer()
  const result = await call(`http://hooks.example:${port}/`)
  expect(result).toMatchObject({ kind: 'failure', remoteAddress: '127.0.0.1' })
  expect(hosts).toEqual([])
})
