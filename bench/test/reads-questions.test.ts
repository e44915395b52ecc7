import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Samples } from '../reads-history.ts'
import { questionsFor } from '../reads-questions.ts'

const ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const SAMPLES: Samples = {
  ...{ busyAgent: ID, quietAgent: ID, firstMandate: ID, lastMandate: ID, approval: ID },
  ...{ transaction: ID, oldEvent: ID, endpoint: ID, card: 'card_1', connection: ID },
}
/** An export reads all pages of the list of transactions, with its filters. */
const NOT_A_PAGE = '/transactions/export'

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
}

function listsOf(): Map<string, string[]> {
  const document: { paths: Record<string, { get?: Operation }> } = JSON.parse(
    readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
  )
  const lists = new Map<string, string[]>()
  for (const [path, { get }] of Object.entries(document.paths)) {
    const names = (get?.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []))
    const list = path.replace('/api/v1', '').replace('{id}', `mnd_${ID.replaceAll('-', '')}`)
    const isList = names.includes('limit') || names.includes('cursor')
    if (isList && list !== NOT_A_PAGE) lists.set(list, names)
  }
  return lists
}

const asked = questionsFor(SAMPLES).map(({ path, pages = 0 }) => {
  const { pathname, searchParams } = new URL(path, 'http://gateway')
  return { list: pathname, names: [...searchParams.keys(), ...(pages > 0 ? ['cursor'] : [])] }
})

test.each([...listsOf()])('the benchmark asks %s by each of its parameters', (list, names) => {
  const used = new Set(asked.filter((one) => one.list === list).flatMap((one) => one.names))
  expect(used.size > 0 && names.filter((name) => !used.has(name))).toEqual([])
})

test('the benchmark asks for no other list', () => {
  const lists = listsOf()
  expect(asked.filter(({ list }) => !lists.has(list))).toEqual([])
  expect(lists.size).toBeGreaterThan(12)
})
