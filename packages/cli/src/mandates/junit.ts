import type { CaseResult, MandateResult } from './case-result.ts'

/** The results in the XML that CI systems show: a suite for each mandate. */
export function toJunit(results: readonly MandateResult[]): string {
  const all = results.flatMap(({ cases }) => cases)
  const suites = results.map(toSuite).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="purser mandates test"${countsOf(all)}>\n${suites}</testsuites>\n`
}

function toSuite({ file, agent, name, cases }: MandateResult): string {
  const title = attribute('name', `${agent} / ${name}`)
  const tests = cases.map((each) => toTest(file, `${agent} / ${name}`, each)).join('')
  return `  <testsuite${title}${attribute('file', file)}${countsOf(cases)}>\n${tests}  </testsuite>\n`
}

function toTest(file: string, suite: string, result: CaseResult): string {
  const { name, line, passed, failures, actual, durationMs } = result
  const place = `${attribute('file', file)}${attribute('line', String(line))}`
  const start = `    <testcase${attribute('classname', suite)}${attribute('name', name)}${place}${timeOf(durationMs)}`
  if (passed) return `${start}/>\n`
  const message = attribute('message', failures.join('; '))
  const text = escapeXml(`${file}:${line}\n${failures.join('\n')}\n${actual.message}`)
  return `${start}>\n      <failure${message}>${text}</failure>\n    </testcase>\n`
}

function countsOf(cases: readonly CaseResult[]): string {
  const failed = cases.filter(({ passed }) => !passed).length
  const totalMs = cases.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return ` tests="${cases.length}" failures="${failed}" errors="0"${timeOf(totalMs)}`
}

function timeOf(ms: number): string {
  return ` time="${(ms / 1_000).toFixed(3)}"`
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXml(value)}"`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML has no form for most control characters and for single surrogates, so they become `?`. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
}
