import { describe, expect, test } from 'vitest'
import { findStatements, squeeze } from './source-statements.ts'

const SOURCE = `
// A comment's apostrophe, and text: 'of a comment'.
const COLUMNS = \`
  id, name\`
const WHOLE = \`
  select \${COLUMNS} from agents
  where id = $1\`

interface Statement { readonly text: string }

export const find = (db) => db.query({ text: WHOLE, values: [] })
export const lock = (db) => db.query({ text: \`\${WHOLE} for update\` })
export const some = (db) => {
  const text = 'select 1 from agents'
  return db.query({ text, values: [] })
}
export const any = (db, table) =>
  db.query({ text: \`select \${texts('$1', { a: \`b\` })} from \${table} limit 1\` })
export const list = (db, page) => pageOf(db, page, { columns: COLUMNS, from: 'agents', id: 'id' })
`

describe('the statements of a file', () => {
  const statements = findStatements('agents.ts', SOURCE)
  test('are all found, with the line and how they begin', () => {
    expect(statements.map(({ name }) => name)).toEqual([
      'agents.ts:11: select … from agents',
      'agents.ts:12: … for update',
      'agents.ts:15: select 1 from agents',
      'agents.ts:18: select … from … limit 1',
      'agents.ts:19: a list of agents',
    ])
  })

  test.each([
    ['select id, name from agents where id = $1', [11, 19]],
    ['select id, name from agents where id = $1 for update', [12, 19]],
    ['select id, name\n from agents where name = $1', [19]],
    ['select x from y limit 1', [18]],
    ['select 1 from agents', [15]],
    ['delete from agents', []],
  ])('are known again in %s', (sent, lines) => {
    const known = statements.filter(({ matches }) => matches(squeeze(sent)))
    expect(known.map(({ name }) => Number(name.split(':')[1]))).toEqual(lines)
  })

  test('must be written in the file, because otherwise they could not be missed', () => {
    const hidden = 'db.query({ text: makeText(), values: [] })'
    expect(() => findStatements('agents.ts', hidden)).toThrow('agents.ts:1')
  })
})
