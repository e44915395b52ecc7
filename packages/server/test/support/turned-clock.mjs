// Loaded into a process before its program (`node --import`). It turns the clock that the process
// reads: Date.now(), new Date() and Date() return the time plus TURNED_CLOCK_MS milliseconds. Timers and
// performance.now() measure durations, which a wrong clock does not change, so they stay unchanged.
const turnedMs = Number(process.env.TURNED_CLOCK_MS)
if (!Number.isSafeInteger(turnedMs)) throw new Error('TURNED_CLOCK_MS must be a whole number.')

const tell = Date.now
Date.now = () => tell() + turnedMs

// This is a proxy instead of a subclass, because Date() without `new` must keep working.
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [target.now()] : parts, newTarget),
  apply: (target) => new target(target.now()).toString(),
})
Date.prototype.constructor = Date
