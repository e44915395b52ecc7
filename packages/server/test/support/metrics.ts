import assert from 'node:assert/strict'

/** Reads the page of a gateway's metrics. */
export async function readMetrics(url: string | undefined): Promise<string> {
  assert(url !== undefined, 'the gateway serves no metrics')
  const response = await fetch(url)
  assert.equal(response.status, 200)
  return response.text()
}

/** The value of one series, such as `purser_decisions_total{path="card",…}`. */
export function readSeries(page: string, series: string): number | undefined {
  const line = page.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
