/**
 * Returns the `request` of Node's own HTTP client for a URL. Only an https URL loads TLS. Since Node
 * 22, an `import` of `node:http` would also load its `WebSocket`, which takes 50 ms of CPU at a start.
 */
export function nodeRequest({ protocol }: URL): typeof import('node:http').request {
  const name = protocol === 'https:' ? 'node:https' : 'node:http'
  return process.getBuiltinModule(name).request
}
