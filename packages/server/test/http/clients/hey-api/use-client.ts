import { client } from './generated/client.gen.ts'
import {
  activateMandate,
  createAgent,
  createMandate,
  evaluate,
  getTransaction,
  listEvents,
} from './generated/sdk.gen.ts'
import { tell } from './story.ts'

client.setConfig({
  baseUrl: process.env['PURSER_URL'] ?? '',
  auth: () => process.env['PURSER_KEY'],
})

function found<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const told = await tell({
  createAgent: async (name) => found(await createAgent({ body: { name } })),
  createMandate: async (body) => found(await createMandate({ body })),
  activateMandate: async (id) => found(await activateMandate({ path: { id } })),
  evaluate: async (body) => found(await evaluate({ body })),
  getTransaction: async (id) => found(await getTransaction({ path: { id } })),
  listEvents: async () => found(await listEvents()),
  refuse: async (body) => {
    const { error } = await evaluate({ body })
    if (!error) throw new Error('It was not refused.')
    return error
  },
})

console.log(JSON.stringify(told))
