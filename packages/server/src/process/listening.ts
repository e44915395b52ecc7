import { createServer, type Server } from 'node:net'

interface Address {
  readonly host: string
  readonly port: number
  /** Says how to choose a different port. Default: by the environment. */
  readonly portHint?: string
  /** The variables that set port and host. */
  readonly portName?: string
  readonly hostName?: string
}

/**
 * Tries the address before anything else is opened: a second gateway on a port in use should fail
 * at once, and not after it has created a database.
 */
export function tryAddress(address: Address): Promise<void> {
  const { host, port } = address
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(toListenError(error, address)))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

/** The URL for programs on this machine; without a port while the server is not listening. */
export function localUrl({ server }: { readonly server: Pick<Server, 'address'> }): string {
  const address = server.address()
  const isListening = address !== null && typeof address === 'object'
  return isListening ? `http://localhost:${address.port}` : 'http://localhost'
}

/** Returns an error that says what to do, or the original error if it is not about the address. */
export function toListenError(error: unknown, address: Address): unknown {
  const { host, port, portName = 'PURSER_PORT', hostName = 'PURSER_HOST' } = address
  const { portHint = `set ${portName} to another port` } = address
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is already in use. Stop the other program, or ${portHint}.`,
      )
    case 'EACCES':
      return new Error(
        `This user may not listen on port ${port}. Set ${portName} to 1024 or higher.`,
      )
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `This machine has no address "${host}" to listen on. Set ${hostName} to 127.0.0.1 for this machine alone, to 0.0.0.0 for every network, or to an address of its own.`,
      )
    default:
      return error
  }
}
