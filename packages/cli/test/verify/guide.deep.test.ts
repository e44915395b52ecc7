import { readFileSync } from 'node:fs'
import { parseVerifierKey } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { describe, expect, test } from 'vitest'
import { verifyLines } from '../../../audit/test/verify/verify-lines.ts'
import { logOf } from '../../../server/src/core/audit/decision-leaf.ts'
import { toUuid } from '../../../server/src/core/id.ts'

const GUIDE = readFileSync(new URL('../../../../docs/guide-audit.md', import.meta.url), 'utf8')

/** What stands in the one block with this mark. */
function block(mark: string): string {
  const [found, ...others] = GUIDE.matchAll(new RegExp(`^\`\`\`${mark}\\n(.+?)^\`\`\`$`, 'gms'))
  expect(others).toEqual([])
  return found?.[1] ?? ''
}

describe('docs/guide-audit.md', () => {
  const key = parseVerifierKey(block('vkey').trim(), sha256)
  const lines = block('ndjson').trim().split('\n')
  const kept = {
    heads: [block('note')],
    receipts: [block('receipt').trim()],
    keys: key ? [key] : [],
  }

  test('shows an export that fits the key, the head and the receipt that it shows', () => {
    expect(verifyLines(lines, kept)).toMatchObject({ leaves: 3, pruned: 1, size: 3 })
  })

  test('shows a log that is named as those of gateways are', () => {
    const { log } = JSON.parse(block('receipt'))
    expect(log).toMatch(/^purser\/audit\/org_[0-9a-f]{32}$/)
    expect(log).toBe(logOf(toUuid('org', log.split('/').at(-1)) ?? ''))
    expect(lines.map((line) => JSON.parse(line).leaf?.kind).filter(Boolean)).toEqual([
      'log.begun',
      'transaction.approved',
      'transaction.expired',
    ])
  })

  test('shows no byte of the export that could be another', () => {
    const text = lines.join('\n')
    const unnoticed = Array.from({ length: text.length }, (_, place) => {
      const other = text[place] === '0' ? '1' : '0'
      return text.slice(0, place) + other + text.slice(place + 1)
    }).filter((changed) => typeof verifyLines(changed.split('\n'), kept) !== 'string')
    expect(unnoticed).toEqual([])
  })

  test('names every field of the lines that it shows', () => {
    const names = lines.flatMap((line) => Object.keys(JSON.parse(line)))
    for (const name of names) expect(GUIDE).toContain(`\`${name}\``)
  })
})
