import createClient from 'openapi-fetch'
import type { paths } from './generated.ts'
import { tell } from './story.ts'

const client = createClient<paths>({
  baseUrl: process.env['PURSER_URL'] ?? '',
  headers: { authorization: `Bearer ${process.env['PURSER_KEY']}` },
})

function found<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const told = await tell({
  createAgent: async (name) => found(await client.POST('/api/v1/agents', { body: { name } })),
  createMandate: async (body) => found(await client.POST('/api/v1/mandates', { body })),
  activateMandate: async (id) =>
    found(await client.POST('/api/v1/mandates/{id}/activate', { params: { path: { id } } })),
  evaluate: async (body) => found(await client.POST('/api/v1/gateway/evaluate', { body })),
  getTransaction: async (id) =>
    found(await client.GET('/api/v1/transactions/{id}', { params: { path: { id } } })),
  listEvents: async () => {
    const page = found(await client.GET('/api/v1/events'))
    // It is a text only where a stream is asked for.
    if (typeof page === 'string') throw new Error(page)
    return page
  },
  refuse: async (body) => {
    const { error } = await client.POST('/api/v1/gateway/evaluate', { body })
    if (!error) throw new Error('It was not refused.')
    return error
  },
})

console.log(JSON.stringify(told))
