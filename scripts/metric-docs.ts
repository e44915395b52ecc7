import { METRICS, type Metric } from '../packages/server/src/metrics/catalogue.ts'
import { wrapText } from './wrap-text.ts'

const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  ['Decisions', /^purser_(decision|batch)/],
  ['Requests', /^purser_(api|ratelimited|sse)/],
  ['Webhooks', /^purser_(webhook|outbox)/],
  ['Holds, approvals and reconcilers', /^purser_(holds|approval|reconciler)/],
  ['Audit log and analytics', /^purser_(sealing|audit|analytics)/],
  ['Database', /^purser_(db|stored)/],
  ['Process', /./],
]

export function createMetricDocs(): string {
  const left = new Map<string, Metric>(Object.entries(METRICS))
  const sections = GROUPS.map(([title, names]) => {
    const own = [...left].filter(([name]) => names.test(name))
    for (const [name] of own) left.delete(name)
    return `## ${title}\n\n${own.map(toEntry).join('')}`
  })
  return `# Metrics

Generated from \`packages/server/src/metrics/catalogue.ts\`. With \`PURSER_METRICS_PORT\` the gateway
serves them at \`/metrics\` on that port, in the text format of Prometheus. [The guide for
operators](guide-operations.md#metrics) shows how to collect them.

- No label names an organization, an agent, a mandate or a vendor, and no caller can add values.
- Metrics marked *stored* describe the whole installation. Every gateway reads them from the
  database, at most once in 10 seconds, so take their maximum over all gateways. All others
  describe one gateway.
- A histogram has the usual series \`_bucket\`, \`_sum\` and \`_count\`.

${sections.join('\n')}`
}

function toEntry([name, { type, help, labels, buckets, isStored }]: [string, Metric]): string {
  const kind = isStored ? `${type}, stored` : type
  const parts = [
    `**\`${name}\`** (${kind}): ${help}`,
    ...Object.entries(labels ?? {}).map(([label, meaning]) => `Label \`${label}\`: ${meaning}.`),
    ...(buckets ? [`Buckets: ${buckets.join(', ')}.`] : []),
  ]
  return `${wrapText(parts.join(' '), '- ')}\n`
}
