import { spawnOnLeash } from './leash.ts'

// A parent that is killed before it can clean up. It starts a process that would run for a day,
// prints its id, and waits.
const child = spawnOnLeash('sleep', ['86400'])
if (process.argv[2] === 'frozen') child.kill('SIGSTOP')
process.stdout.write(`${child.pid}\n`)
setInterval(() => {}, 60_000)
