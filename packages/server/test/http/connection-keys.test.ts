import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { aKey } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let url: string
const connection = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  app = await createTestApp()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  connection.destroy()
  await app.stop()
})

/** The name of the organization that the key is of, or the status of the refusal. */
function askAs(authorization: string): Promise<{ answer: unknown; port: number | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization }
    const asked = request(
      `${url}/api/v1/organization`,
      { agent: connection, headers },
      (response) => {
        const port = response.socket.localPort
        let text = ''
        response.on('data', (part) => {
          text += String(part)
        })
        response.on('end', () => {
          const { name } = JSON.parse(text)
          resolve({ answer: response.statusCode === 200 ? name : response.statusCode, port })
        })
      },
    )
    asked.on('error', reject).end()
  })
}

test("each request of a connection is its own key's, whatever came before on it", async () => {
  const [acme, globex] = [await app.organization('Acme'), await app.organization('Globex')]
  const { key: first } = await aKey(app, acme)
  const { key: second } = await aKey(app, globex)
  const [a, b] = [first.apiKey, second.apiKey].map((key) => `Bearer ${key}`)
  const turned = `${a?.slice(0, -1)}${a?.endsWith('0') ? '1' : '0'}`
  const ports = new Set<number | undefined>()
  const asks = async (authorization = '') => {
    const { answer, port } = await askAs(authorization)
    ports.add(port)
    return answer
  }
  expect(await asks(a)).toBe('Acme')
  expect(await asks(a)).toBe('Acme')
  expect(await asks(b)).toBe('Globex')
  expect(await asks(a)).toBe('Acme')
  expect(await asks(turned)).toBe(401)
  expect(await asks(a)).toBe('Acme')
  expect((await acme.delete(`/api-keys/${first.id}`)).status).toBe(200)
  // The process hears of it from the database, a moment later.
  await waitUntil(async () => (await asks(a)) === 401)
  expect(await asks(b)).toBe('Globex')
  expect(ports.size).toBe(1)
})
