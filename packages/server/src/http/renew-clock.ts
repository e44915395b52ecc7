import type { Clock } from '../storage/engine/clock.ts'
import type { App } from './app.ts'

/**
 * Every request may make ids, which carry the time. A process that has not heard the database's clock for
 * a while, because its machine slept, asks for it first. All others wait for nothing.
 */
export function renewClockFirst(app: App, clock: Pick<Clock, 'renew'>): void {
  // A callback, because a promise for each request would cost a decision a few percent.
  app.addHook('onRequest', (_request, _reply, done) => {
    const renewed = clock.renew()
    if (renewed === undefined) done()
    else void renewed.then(() => done())
  })
}
