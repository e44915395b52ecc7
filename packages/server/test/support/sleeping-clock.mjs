// Loaded into a process before its program (`node --import`). A request with the header `test-sleep`
// acts as if the machine had slept for that many milliseconds just before it arrived: the monotonic
// clock stood still meanwhile, and the wall clock advanced.
import { subscribe } from 'node:diagnostics_channel'

let sleptMs = 0
const monotonic = performance.now.bind(performance)
const wall = Date.now
performance.now = () => monotonic() - sleptMs
Date.now = () => wall() + sleptMs

subscribe('http.server.request.start', ({ request }) => {
  sleptMs += Number(request.headers['test-sleep'] ?? 0)
})
