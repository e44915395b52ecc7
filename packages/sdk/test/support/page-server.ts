import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A page with one script, on the origin of a gateway. */
export interface PageServer {
  readonly origin: string
  /** The requests that the gateway got, in order. */
  readonly passedOn: readonly { readonly request: string; readonly cookie: string | undefined }[]
  close(): void
}

/** The page may load and call its own origin only, and runs no code that a string holds. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
const PAGE = '<!doctype html><title>Page</title><script type="module" src="/page.js"></script>'

/**
 * Serves the page at `/`, its script at `/page.js`, and passes everything else on to the gateway,
 * as the gateway sends no CORS headers.
 */
export async function startPageServer(gatewayUrl: string, script: string): Promise<PageServer> {
  const passedOn: { request: string; cookie: string | undefined }[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    if (url === '/') return sendFile(outgoing, 'text/html', PAGE)
    if (url === '/page.js') return sendFile(outgoing, 'text/javascript', script)
    passedOn.push({ request: `${method} ${url}`, cookie: headers.cookie })
    passOn(gatewayUrl, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}`,
    passedOn,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function sendFile(outgoing: ServerResponse, type: string, content: string): void {
  outgoing.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
  })
  outgoing.end(content)
}

function passOn(gatewayUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming
  const upstream = request(gatewayUrl + url, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  upstream.on('error', () => incoming.socket.destroy())
  outgoing.once('close', () => upstream.destroy())
  incoming.pipe(upstream)
}
