import { benchSwitched } from './switched.ts'

/* The cost of metrics, which are scraped every 15 seconds. */

const PURSER_METRICS_PORT = '4143'

await benchSwitched({
  name: 'metrics',
  title: 'Metrics on, against off',
  settings: { PURSER_METRICS_PORT },
  async whileMeasured() {
    await (await fetch(`http://127.0.0.1:${PURSER_METRICS_PORT}/metrics`)).text()
  },
})
