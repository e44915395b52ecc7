import { randomBytes } from 'node:crypto'
import { chmod, open, rename, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { toSocketPath } from '../../storage/engine/embedded/data-folder.ts'
import { type ControlAnswer, type ControlRequest, createLines, SOCKET_NAME } from './protocol.ts'

/**
 * Carries out one command. Resources that the command uses until it closes its connection are
 * released by the functions passed to `onClosed`.
 */
export type ControlCommand = (
  request: ControlRequest,
  onClosed: (release: () => Promise<void>) => void,
) => Promise<Readonly<Record<string, unknown>>>

/** The commands by their names. */
export type ControlCommands = Readonly<Record<string, ControlCommand>>

export interface Control {
  stop(): Promise<void>
}

/** An operator runs one command at a time, perhaps two. */
const CONNECTIONS_MAX = 8
const REQUEST_WITHIN_MS = 5_000

/**
 * Listens on a socket in the data folder that only this user can use. The socket gets its name once
 * it listens and its mode is set. The folder's lock makes sure that no other gateway uses the name.
 */
export async function serveControl(dataDir: string, commands: ControlCommands): Promise<Control> {
  const directory = await open(dataDir, 'r')
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    serveOne(socket, commands)
  })
  server.maxConnections = CONNECTIONS_MAX
  const hidden = `new-${randomBytes(8).toString('hex')}.sock`
  const path = join(dataDir, SOCKET_NAME)
  try {
    await listen(server, toSocketPath(dataDir, hidden, directory.fd))
    await chmod(join(dataDir, hidden), 0o600)
    await rename(join(dataDir, hidden), path)
  } catch (error) {
    server.close()
    await directory.close()
    throw error
  }
  // The socket must not keep a process alive that has nothing else to do.
  server.unref()
  return {
    async stop() {
      await rm(path, { force: true })
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of connections) socket.destroy()
      await closed
      await directory.close()
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

/** Reads one request, answers it, and releases its resources when the connection closes. */
function serveOne(socket: Socket, commands: ControlCommands): void {
  const releases: (() => Promise<void>)[] = []
  let isAsked = false
  let isClosed = false
  const release = (): void => {
    for (const one of releases.splice(0)) one().catch(() => {})
  }
  const answer = (value: ControlAnswer): void => {
    // The command may have been killed while it waited.
    if (isClosed) release()
    else socket.write(`${JSON.stringify(value)}\n`)
  }
  const onLine = (line: string): void => {
    if (isAsked) return
    isAsked = true
    socket.setTimeout(0)
    run(line, commands, (one) => void releases.push(one)).then(
      (result) => answer({ result }),
      (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
    )
  }
  socket.setEncoding('utf8')
  socket.setTimeout(REQUEST_WITHIN_MS, () => socket.destroy())
  const read = createLines(onLine)
  socket.on('data', (text: string) => {
    try {
      read(text)
    } catch {
      socket.destroy()
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    release()
  })
}

async function run(
  line: string,
  commands: ControlCommands,
  onClosed: (release: () => Promise<void>) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const request: unknown = JSON.parse(line)
  const name = isRequest(request) ? request.command : ''
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || !isRequest(request)) {
    throw new Error(
      `The running gateway does not know the command "${name}". Restart it with this version.`,
    )
  }
  return command(request, onClosed)
}

function isRequest(value: unknown): value is ControlRequest {
  return typeof value === 'object' && value !== null && 'command' in value
}
