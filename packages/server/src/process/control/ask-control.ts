import { open } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { toSocketPath } from '../../storage/engine/embedded/data-folder.ts'
import { type ControlAnswer, type ControlRequest, createLines, SOCKET_NAME } from './protocol.ts'

/** The answer of a running gateway. `close` releases its resources. */
export interface Answered {
  readonly result: Readonly<Record<string, unknown>>
  close(): void
}

/** No gateway listens: there is no socket, or its process is gone. */
const GONE_CODES = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTDIR'])

interface StorePlace {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
}

/**
 * Asks the gateway that has this embedded store open. Returns undefined if none does, and with
 * PostgreSQL, where a command opens the database itself. Throws the gateway's own sentence if it
 * refuses.
 */
export async function askGateway(
  { dataDir, databaseUrl }: StorePlace,
  request: ControlRequest,
): Promise<Answered | undefined> {
  if (databaseUrl !== undefined) return undefined
  const directory = await open(dataDir, 'r').catch(() => undefined)
  if (!directory) return undefined
  try {
    return await ask(toSocketPath(dataDir, SOCKET_NAME, directory.fd), request)
  } finally {
    await directory.close()
  }
}

function ask(path: string, request: ControlRequest): Promise<Answered | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    let isConnected = false
    socket.setEncoding('utf8')
    socket.on('connect', () => {
      isConnected = true
      socket.write(`${JSON.stringify(request)}\n`)
    })
    const read = createLines((line) => {
      const answer: ControlAnswer = JSON.parse(line)
      if ('result' in answer) {
        resolve({ result: answer.result, close: () => socket.destroy() })
        return
      }
      socket.destroy()
      reject(new Error(answer.error))
    })
    socket.on('data', (text: string) => {
      try {
        read(text)
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    socket.on('close', () => reject(new Error('The gateway stopped before it answered.')))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!isConnected && GONE_CODES.has(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
  })
}
