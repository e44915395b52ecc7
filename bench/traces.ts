import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { benchSwitched } from './switched.ts'

/*
 * The cost of traces: every request is traced, and its spans go to a collector on this machine. The
 * collector takes them and reads nothing, so that its own work does not disturb the figures.
 */

const collector = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  })
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const { port } = collector.address() as AddressInfo
try {
  await benchSwitched({
    name: 'traces',
    title: 'Traces of every request on, against off',
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  })
} finally {
  collector.closeAllConnections()
  collector.close()
}
