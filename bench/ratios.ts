import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, toHundredths } from './harness.ts'

interface EvaluateRow {
  readonly scenario: string
  readonly contender: string
  readonly purserRatio: number
  readonly p50Ratio: number
  readonly gatewayRatio: number
  readonly databaseRatio: number
}

interface CardFigures {
  readonly cpuMicros: number
  readonly perSecond: number
}

interface CardRow {
  readonly scenario: string
  readonly 'with key and hold': CardFigures
  readonly card: CardFigures
}

interface StartResult {
  readonly machine: string
  readonly at: string
  readonly medians: { readonly first: number; readonly later: number }
}

/** One measured value and its aim, as the table shows them. */
type Line = readonly [scenario: string, figure: string, value: number, aim: string]

const LONE: Readonly<Record<string, string>> = {
  '1 connection, naive': 'p50 at most 1.0',
  '1 connection, bare-sql': 'p50 at most 1.25',
  '4 connections, naive': 'p50 at most 0.9',
  '16 connections, naive': 'p50 at most 0.6',
}

/**
 * Prints every ratio of today's results in one table: of evaluate to each contender, of cards to
 * evaluate with key and hold, and the CPU seconds of a start. Aims are printed and never enforced.
 */
export async function printRatios(): Promise<void> {
  const [evaluate, card, start] = await Promise.all([
    readToday<{ readonly rows: EvaluateRow[] }>('evaluate'),
    readToday<{ readonly rows: CardRow[] }>('card'),
    readToday<StartResult>('start'),
  ])
  const lines: Line[] = [
    ...evaluate.rows.flatMap(linesOf),
    ...card.rows.map(lineOfCard),
    ['start', 'first, CPU s', start.medians.first, 'at most 2.5'],
    ['start', 'later, CPU s', start.medians.later, 'at most 2'],
  ]
  console.log(`All ratios. Machine: ${start.machine}. ${start.at}.`)
  console.log('| Scenario | Purser to | Ratio | Aim |\n|---|---|---|---|')
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
}

async function readToday<Result>(name: string): Promise<Result> {
  const day = new Date().toISOString().slice(0, 10)
  return JSON.parse(await readFile(join(ROOT, `bench/results/${name}-${day}.json`), 'utf8'))
}

function linesOf(row: EvaluateRow): Line[] {
  const { scenario, contender } = row
  if (contender === 'purser') return []
  const lone = LONE[`${scenario.split(', ').at(-1)}, ${contender}`] ?? ''
  const isLone = scenario.endsWith(', 1 connection') && contender === 'naive'
  const lines: Line[] = [
    [scenario, `${contender}, requests/s`, row.purserRatio, rateAim(scenario, contender)],
    [scenario, `${contender}, p50`, row.p50Ratio, lone.replace('p50 ', '')],
    [scenario, `${contender}, gateway CPU`, row.gatewayRatio, gatewayAim(scenario, contender)],
    [scenario, `${contender}, PostgreSQL CPU`, row.databaseRatio, isLone ? 'at most 1.2' : ''],
  ]
  return lines.filter(([, , value]) => Number.isFinite(value))
}

function rateAim(scenario: string, contender: string): string {
  if (contender === 'naive' && / (64|256) connections$/.test(scenario)) {
    return scenario.startsWith('1 hot') ? 'at least 10' : 'at least 4'
  }
  // Embedded reaches 0.9 of PostgreSQL.
  return contender === 'embedded' && scenario.endsWith(', 16 connections') ? 'at most 1.11' : ''
}

function gatewayAim(scenario: string, contender: string): string {
  if (contender === 'naive' && scenario.endsWith(', 1 connection')) return 'at most 1.5'
  return contender === 'bare' && scenario.endsWith(', 64 connections') ? 'at most 1.6' : ''
}

function lineOfCard(row: CardRow): Line {
  const ratio = toHundredths(row.card.cpuMicros / row['with key and hold'].cpuMicros)
  return [row.scenario, 'card, CPU of evaluate with key and hold', ratio, 'at most 1.25']
}
