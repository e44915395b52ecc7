import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { findIssuer, ISSUERS } from '../../../src/paths/card/issuers/index.ts'
import type {
  CardEvent,
  CardRequest,
  CardVerdict,
  Issuer,
  Unread,
} from '../../../src/paths/card/issuers/issuer.ts'

export type Native = 'stripe' | 'lithic'
type Decide = (request: CardRequest, response: ServerResponse) => Partial<CardVerdict> | undefined

const SECRETS = {
  authorization: `whsec_${Buffer.from('what authorizations have').toString('base64')}`,
  events: `whsec_${Buffer.from('what all of the events h').toString('base64')}`,
}

/** Opens two doors that verify and read like the gateway, and decide as the test says. */
export async function openDoors(provider: Native, decide: Decide, eventStatuses: number[] = []) {
  const issuer = nativeIssuer(provider)
  const requests: CardRequest[] = []
  const events: CardEvent[] = []

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const header = (name: string) => incoming.headers[name]?.toString()
    const isEvent = incoming.url?.endsWith('/events') === true
    const secret = isEvent ? SECRETS.events : SECRETS.authorization
    const isSigned = issuer.verify({ body, header }, secret, Math.floor(Date.now() / 1_000))
    if (!isSigned) return void response.writeHead(401).end()
    const payload: unknown = JSON.parse(body.toString())
    if (isEvent) hear(readable(issuer.readEvent(payload, header)), response)
    else answer(readable(issuer.readRequest(payload, header)), response)
  }

  function hear(event: CardEvent, response: ServerResponse): void {
    const status = eventStatuses.shift() ?? 200
    if (status === 200) events.push(event)
    response.writeHead(status).end()
  }

  function answer(request: CardRequest, response: ServerResponse): void {
    requests.push(request)
    const verdict = decide(request, response)
    if (!verdict) return
    const usual = { ...APPROVED, approvedAmount: request.amount }
    const { status, headers, body } = issuer.answer({ ...usual, ...verdict }, request)
    response.writeHead(status, headers).end(body)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const doors = {
    authorizationUrl: `${url}/ingest/${provider}/token/${provider === 'stripe' ? 'authorization' : 'asa'}`,
    authorizationSecret: SECRETS.authorization,
    eventsUrl: `${url}/ingest/${provider}/token/events`,
    eventsSecret: SECRETS.events,
  }
  return { doors, requests, events, close: () => server.close().closeAllConnections() }
}

function readable<Read extends CardEvent | CardRequest>(read: Read | Unread): Read {
  if ('unread' in read) throw new Error(read.why)
  return read
}

const APPROVED: CardVerdict = {
  isApproved: true,
  code: 'approved',
  approvedAmount: 0n,
  currency: 'USD',
  isPartial: false,
  transactionId: 'txn_1',
}

function nativeIssuer(provider: Native): Issuer {
  const issuer = findIssuer(ISSUERS, provider)
  if (!issuer) throw new Error(`There is no issuer ${provider}.`)
  return issuer
}
