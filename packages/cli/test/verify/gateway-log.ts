import { parseVerifierKey, type VerifierKey } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import type { Findings } from '../../../audit/src/verify/verify-export.ts'
import { type Kept, verifyLines } from '../../../audit/test/verify/verify-lines.ts'
import type { Owner, TestApp } from '../../../server/test/support/app.ts'
import { sealAll } from '../../../server/test/support/audit-log.ts'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import type { Random } from '../../../server/test/support/random.ts'
import { evaluate } from '../../../server/test/support/spends.ts'

/** An organization in which something of every kind has happened, and its receipts. */
export async function someHistory(app: TestApp): Promise<{ owner: Owner; receipts: string[] }> {
  const owner = await app.organization()
  const { agentId } = await anActiveMandate(owner, { budgetTotal: 30 })
  const noted = { reference: 'PO 7', reason: 'Näher "so"', metadata: { run: 'ä\\', a: '1' } }
  const spends = [
    await evaluate(owner, agentId, noted),
    await evaluate(owner, agentId, { amount: 15, hold: { expiresIn: '1h' } }),
    await evaluate(owner, agentId, { amount: 500 }),
  ]
  await owner.post(`/transactions/${spends[1]?.transactionId}/settle`, { amount: 12 })
  await owner.post(`/transactions/${spends[1]?.transactionId}/refund`, { amount: 2 })
  await sealAll(app)
  return { owner, receipts: spends.map((spend) => JSON.stringify(spend)) }
}

export async function exportOf(owner: Owner, from = 0): Promise<string[]> {
  const accept = 'application/x-ndjson'
  const { text } = await owner.get(`/audit-log?cursor=${from}`, { accept })
  return text.trimEnd().split('\n')
}

export async function keysOf(owner: Owner): Promise<{ keys: VerifierKey[]; head: string }> {
  const body = JSON.parse((await owner.get('/audit-log/proof')).text)
  const keys = body.keys.flatMap((text: string) => parseVerifierKey(text, sha256) ?? [])
  return { keys, head: body.checkpoint }
}

export function verify(
  lines: readonly string[],
  keys: readonly VerifierKey[],
  kept: Omit<Kept, 'keys'> = {},
): Findings | string {
  return verifyLines(lines, { ...kept, keys })
}

/** Tampers with an export so many times, each time in one way, and gives what was not found. */
export function unfoundOf(
  lines: readonly string[],
  keys: readonly VerifierKey[],
  random: Random,
  count: number,
): string[] {
  const unfound: string[] = []
  for (let done = 0; done < count; ) {
    const [name, tamper] = random.pick(Object.entries(TAMPERINGS))
    const tampered = tamper(lines, random)
    // Two equal lines that change places change nothing.
    if (tampered.join('\n') === lines.join('\n')) continue
    if (typeof verify(tampered, keys) !== 'string') unfound.push(`${name} (number ${done})`)
    done += 1
  }
  return unfound
}

const TAMPERINGS: Readonly<
  Record<string, (lines: readonly string[], random: Random) => readonly string[]>
> = {
  'one letter of a line is another': (lines, random) => {
    const at = random.between(0, lines.length - 1)
    const line = lines[at] ?? ''
    const place = random.between(0, line.length - 1)
    const other = random.pick([...'abcdef0123456789ABCXYZ+/= {}",:'])
    return lines.with(at, line.slice(0, place) + other + line.slice(place + 1))
  },
  'one letter of a line is missing': (lines, random) => {
    const at = random.between(0, lines.length - 1)
    const line = lines[at] ?? ''
    const place = random.between(0, line.length - 1)
    return lines.with(at, line.slice(0, place) + line.slice(place + 1))
  },
  'a line is missing': (lines, random) => lines.toSpliced(random.between(0, lines.length - 1), 1),
  'a leaf comes twice': (lines, random) => {
    const at = random.between(1, lines.length - 2)
    return lines.toSpliced(random.between(1, lines.length - 1), 0, lines[at] ?? '')
  },
  'two lines change places': (lines, random) => {
    const [a, b] = [random.between(0, lines.length - 1), random.between(0, lines.length - 1)]
    return lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')
  },
  'the end is cut off': (lines, random) => lines.slice(0, random.between(0, lines.length - 1)),
}
