import type { Clock } from '../storage/engine/clock.ts'
import type { App } from './app.ts'

/**
 * Every request may make ids, which carry the time. A process that has not read the database's
 * clock for a while, because its machine slept, reads it first. All other requests wait for
 * nothing.
 */
export function renewClockFirst(app: App, clock: Pick<Clock, 'renew'>): void {
  // This uses a callback, because a promise for each request would cost a decision a few percent.
  app.addHook('onRequest', (_request, _reply, done) => {
    const renewed = clock.renew()
    if (renewed === undefined) done()
    else void renewed.then(() => done())
  })
}
