import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import type { Listener } from './queryable.ts'
import { unavailable } from './storage-error.ts'

interface ListenParts {
  readonly connection: ClientConfig
  readonly channel: string
  readonly listener: Listener
  readonly log: Log
}

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

/** Only this heartbeat query reveals a connection that died silently. */
const HEARTBEAT_EVERY_MS = 10_000
const HEARTBEAT_WITHIN_MS = 5_000

/**
 * Listens on its own connection until it is stopped. It reports a lost connection as a gap at once,
 * and again once the connection is back, because messages sent in between are lost too.
 */
export async function listenOnPostgres(parts: ListenParts): Promise<() => Promise<void>> {
  const { listener, log } = parts
  let isStopped = false
  let retryTimer: NodeJS.Timeout | undefined
  let client = await connect(parts, onLoss).catch((error: unknown) => {
    throw unavailable(error)
  })

  function onLoss(error: Error): void {
    if (isStopped) return
    logEvent(log, 'storage.notifications_lost', { err: error })
    listener.onGap()
    retryAfter(FIRST_RETRY_MS)
  }

  function retryAfter(delayMs: number): void {
    retryTimer = setTimeout(() => {
      reconnect().catch(() => {
        if (!isStopped) retryAfter(Math.min(delayMs * 2, LAST_RETRY_MS))
      })
    }, delayMs)
  }

  async function reconnect(): Promise<void> {
    const next = await connect(parts, onLoss)
    if (isStopped) return next.end()
    client = next
    listener.onGap()
  }

  return async () => {
    isStopped = true
    clearTimeout(retryTimer)
    await client.end()
  }
}

/** Calls `onLoss` at most once, and only for a client that it has returned. */
async function connect(parts: ListenParts, onLoss: (error: Error) => void): Promise<Client> {
  const client = new Client(parts.connection)
  let isListening = false
  const lose = (error: Error): void => {
    clearInterval(heartbeat)
    if (!isListening) return
    isListening = false
    endQuietly(client)
    onLoss(error)
  }
  const heartbeat = setInterval(() => {
    client.query({ text: 'select 1', ...{ query_timeout: HEARTBEAT_WITHIN_MS } }).catch(lose)
  }, HEARTBEAT_EVERY_MS)
  heartbeat.unref()
  client.on('error', lose)
  client.on('end', () => lose(new Error('The connection has ended.')))
  client.on('notification', ({ payload }) => parts.listener.onMessage(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${escapeIdentifier(parts.channel)}`)
  } catch (error) {
    clearInterval(heartbeat)
    endQuietly(client)
    throw error
  }
  isListening = true
  return client
}

/** The connection is no longer in use, so it does not matter how it ends. */
function endQuietly(client: Client): void {
  client.end().catch(() => {})
}
