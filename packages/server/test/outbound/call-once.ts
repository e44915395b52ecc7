import { createOutboundClient } from '../../src/outbound/outbound-client.ts'

// Calls the URL, resolves its name to this machine, and prints the result. Then it ends,
// or stays until it is killed.
const [url = '', timeoutMs = '120000', whatThen = 'end'] = process.argv.slice(2)
const client = createOutboundClient(
  { allowLoopback: true, allowedNetworks: [] },
  { resolve: async () => ['127.0.0.1'] },
)
const result = await client.call({
  method: 'POST',
  url,
  headers: {},
  body: '{}',
  timeoutMs: Number(timeoutMs),
  answerBytesMax: 100,
})
process.stdout.write(`${JSON.stringify(result)}\n`)
if (whatThen === 'end') await client.close()
else setInterval(() => {}, 60_000)
