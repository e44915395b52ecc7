import type { App } from '../../http/app.ts'
import type { Registry } from '../../metrics/registry.ts'

/**
 * Counts answers by route and status. Each route gets a hook that knows its counters, so that a
 * request looks up nothing but its status. An address without a route counts as `none`: callers
 * could otherwise add labels.
 */
export function countRequests(app: App, registry: Registry): App {
  const unrouted = createAnswerCounter(registry, 'none')
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.is404) unrouted(statusCode)
    done()
  })
  app.addHook('onRoute', (route) => {
    const count = createAnswerCounter(registry, `${[route.method].flat().join('|')} ${route.url}`)
    const counted = (_request: unknown, reply: { statusCode: number }, done: () => void) => {
      count(reply.statusCode)
      done()
    }
    route.onResponse = [...[route.onResponse ?? []].flat(), counted]
  })
  return app
}

/** Keeps the counter of each status, because looking it up by its labels takes longer. */
function createAnswerCounter(registry: Registry, route: string): (status: number) => void {
  const counters = new Map<number, () => void>()
  return (status) => {
    const known = counters.get(status)
    const count = known ?? registry.counter('purser_api_requests_total', [route, String(status)])
    if (!known) counters.set(status, count)
    count()
  }
}
