// Writes V8's compiled code of the command line. This is plain JavaScript, because the build runs it.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

const [folder] = process.argv.slice(2)
const filename = join(folder, 'main.cjs')

/** V8 compiles a function when it is called. So a whole command runs, with an answer of a gateway. */
const gateway = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: [{}], total: 1, nextCursor: null }))
})
gateway.listen(0, '127.0.0.1').unref()
await once(gateway, 'listening')
process.env.PURSER_API_KEY = 'psr_test_compile'
process.env.PURSER_BASE_URL = `http://127.0.0.1:${gateway.address().port}`
process.argv = ['node', 'purser', 'agents', 'list']

// As packages/cli/bin/purser.js does. The compiled code would contain the name of the file.
const main = new Script(`(function (require) {${readFileSync(filename, 'latin1')}\n})`)
process.once('exit', () => writeFileSync(join(folder, 'main.cache'), main.createCachedData()))
main.runInThisContext()(createRequire(filename))
