// Loaded into a process before its program (`node --import`). It turns the clock that the process
// reads: Date.now(), new Date() and Date() tell the time plus TURNED_CLOCK_MS milliseconds. Timers and
// performance.now() measure durations, which a wrong clock does not change, so they stay as they are.
const turnedMs = Number(process.env.TURNED_CLOCK_MS)
if (!Number.isSafeInteger(turnedMs)) throw new Error('TURNED_CLOCK_MS must be a whole number.')

const tell = Date.now
Date.now = () => tell() + turnedMs

// A proxy instead of a subclass, because Date() without `new` has to go on working.
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [target.now()] : parts, newTarget),
  apply: (target) => new target(target.now()).toString(),
})
Date.prototype.constructor = Date
