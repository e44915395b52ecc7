import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createTestApp, type TestApp } from '../support/app.ts'

export const PAGE = '<!doctype html><title>Purser</title><div id="root"></div>'
export const SCRIPT = 'document.title = "Purser, a console"'
export const SCRIPT_PATH = '/assets/index-BhVBZzGE.js'
export const FONT = 'no real font'
export const FONT_PATH = '/assets/geist-BgDaEnEv.woff2'

/** The Accept header of a browser that opens a page. */
export const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
}

/** Writes a small console as the build does, in a folder of its own. */
export async function writeConsole(): Promise<{ folder: string; remove(): Promise<void> }> {
  const place = await mkdtemp(join(tmpdir(), 'purser-console-'))
  const folder = join(place, 'console')
  const write = async (name: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  for (const [name, content] of [
    ['index.html', PAGE],
    [SCRIPT_PATH, SCRIPT],
    ['assets/index-DSupIbv5.css', 'body { margin: 0 }'],
    ['assets/favicon-d11of68P.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ] as const) {
    await write(name, content)
    await write(`${name}.br`, brotliCompressSync(content))
    await write(`${name}.gz`, gzipSync(content))
  }
  await write(FONT_PATH, FONT)
  await write('.built-from', 'a hash')
  await writeFile(join(place, 'secret.txt'), 'not of the console')
  return { folder, remove: () => rm(place, { recursive: true, force: true }) }
}

export interface ServedConsole {
  readonly app: TestApp
  readonly folder: string
  readonly url: string
  /** Sends the path unchanged, without the normalization of `fetch`. */
  send(path: string, headers?: Record<string, string>, method?: string): Promise<Received>
  stop(): Promise<void>
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly text: string
}

/** The whole app with the small console, on a port. */
export async function startConsole(
  change: Parameters<typeof createTestApp>[1] = {},
): Promise<ServedConsole> {
  const { folder, remove } = await writeConsole()
  const app = await createTestApp(undefined, { consoleFolder: folder, ...change })
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  return {
    app,
    folder,
    url,
    send: (path, headers = {}, method = 'GET') => sendTo(port, method, path, headers),
    stop: async () => {
      await app.stop()
      await remove()
    },
  }
}

function sendTo(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(parts)
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body, text: body.toString() })
      })
    })
    sent.on('error', reject).end()
  })
}
