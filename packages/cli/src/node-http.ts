import { createRequire } from 'node:module'

/**
 * The HTTP client of Node. Since Node 22, an `import` of `node:http` also loads its `WebSocket`, which
 * takes 50 ms of CPU at each start. `require` does not.
 */
const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { request: requestHttp } = http
