import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listOperations, type OpenApiDocument } from '../support/operations.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
/** As a client reads it; `npm run check` fails when it is not what the server writes. */
const committed: OpenApiDocument = JSON.parse(readFileSync(resolve(ROOT, 'openapi.json'), 'utf8'))
const operations = listOperations(committed).map(({ method, path }) => `${method} ${path}`)

const table = readFileSync(resolve(ROOT, 'docs/endpoints.md'), 'utf8')
const rows = [...table.matchAll(/^\| (\d+) \| `([A-Z]+) (\S+)` \| (.+) \|$/gm)].map(
  ([, number, method, path = '', purpose = '']) => ({
    number: Number(number),
    operation: `${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    purpose,
  }),
)

describe('docs/endpoints.md', () => {
  test('numbers the 59 operations in order and without gaps', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 59 }, (_, n) => n + 1))
    // A row that the expression above cannot read would be left out without a word.
    expect(table.match(/^\|/gm)).toHaveLength(rows.length + 2)
  })

  test('names every operation of openapi.json once', () => {
    const named = rows.map(({ operation }) => operation)
    expect(new Set(named).size).toBe(named.length)
    expect(operations.filter((operation) => !named.includes(operation))).toEqual([])
  })

  test('names nothing that openapi.json does not have', () => {
    const unknown = rows.filter(({ operation }) => !operations.includes(operation))
    expect(unknown).toEqual([])
    expect(operations).toHaveLength(rows.length)
  })

  test('says of each what it is for, and of no two the same', () => {
    const purposes = rows.map(({ purpose }) => purpose.replace(/ \(\[.+\]\(.+\)\)$/, ''))
    expect(purposes.filter((purpose) => !/^[a-z].{8,}[^.]$/.test(purpose))).toEqual([])
    expect(new Set(purposes).size).toBe(rows.length)
  })

  test('is linked from the README', () => {
    expect(readFileSync(resolve(ROOT, 'README.md'), 'utf8')).toContain('](docs/endpoints.md)')
  })
})
