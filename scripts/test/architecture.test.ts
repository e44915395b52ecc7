import { expect, test } from 'vitest'
import { findMistakes } from '../architecture/find-mistakes.ts'
import { findPackageMistakes } from '../architecture/packages.ts'
import { findUnknownFiles, findUnlistedFolders } from '../architecture/pages.ts'
import { readDocument } from '../architecture/read-document.ts'

const DOCUMENT = `
## The server

    src/
      base/                problems
      core/                pure functions
        time/              instants
      http/                the app
      paths/               payment paths
        card/              cards
        x402/              payments over HTTP 402
      storage/             SQL

## Who may import whom

| Part | may import |
|---|---|
| \`base\` | nothing of ours |
| \`core\` | \`base\` |
| \`storage\` | \`base\`, \`core\` |
| \`http\`, \`paths\` | \`base\`, \`core\`, \`storage\` |
| \`index\`, \`main\` | every part |

## Which package imports which

| Package | may import |
|---|---|
| \`audit\` | nothing |
| \`server\` | \`audit\` |
| \`cli\` | \`audit\`; \`server\` lazily |

## Another section
`

const SOUND = {
  'index.ts': `import { paths } from './paths/list.ts'`,
  'main.ts': `import { listen } from './http/app.ts'`,
  'base/errors.ts': '',
  'core/spend.ts': `import { Problem } from '../base/errors.ts'`,
  'core/time/instant.ts': '',
  'http/app.ts': `import type { Spend } from '../core/spend.ts'`,
  'paths/card/events.ts': '',
  'paths/list.ts': `import { routes } from './x402/routes.ts'`,
  'paths/x402/pay.ts': '',
  'paths/x402/routes.ts': '',
  'storage/rows.ts': 'const text = `select 1`',
}

/** Returns the mistakes of sound sources with these files changed or added. */
function mistakesWith(files: Readonly<Record<string, string>>): string[] {
  const sources = new Map(Object.entries({ ...SOUND, ...files }))
  // The real files that may read the time are not among these.
  return findMistakes(sources, readDocument(DOCUMENT))
}

test('sound sources have no mistake', () => {
  expect(mistakesWith({})).toEqual([])
})

test.each([
  ['an import that is not allowed', 'core/spend.ts', `import { rows } from '../storage/rows.ts'`],
  ['a folder that the document does not name', 'http/auth/keys.ts', ''],
  ['a part that the table does not list', 'extra.ts', ''],
  ['a path that knows another', 'paths/card/events.ts', `import { pay } from '../x402/pay.ts'`],
  [
    'a part that knows the inside of a path',
    'main.ts',
    `import { pay } from './paths/x402/pay.ts'`,
  ],
  ['a package of another part', 'http/app.ts', `import pg from 'pg'`],
  ['I/O in core', 'core/spend.ts', `import { readFile } from 'node:fs/promises'`],
  ['randomness in core', 'core/spend.ts', `import { randomBytes } from 'node:crypto'`],
  ['a clock of the machine', 'http/app.ts', 'const now = Date.now()'],
  ['a second road to the time of the database', 'storage/rows.ts', '`select clock_timestamp()`'],
  ['a value of fastify outside http', 'storage/rows.ts', `import fastify from 'fastify'`],
  ['SQL outside storage', 'http/app.ts', 'const text = `select 1`'],
  ['a start that loads a chain', 'main.ts', `import { a } from 'viem'`],
])('%s is found', (_what, file, source) => {
  expect(mistakesWith({ [file]: source })).not.toEqual([])
})

test('a start that does not load the routes of x402 is found', () => {
  expect(mistakesWith({ 'paths/list.ts': '' })).toEqual([
    'A start does not load paths/x402/routes.ts, so the check for chain packages proves nothing.',
  ])
  const sources = new Map(Object.entries(SOUND).filter(([file]) => file !== 'paths/x402/routes.ts'))
  expect(findMistakes(sources, readDocument(DOCUMENT))).toHaveLength(1)
})

test('a folder that is gone is found', () => {
  const sources = new Map(Object.entries(SOUND).filter(([file]) => !file.startsWith('core/time/')))
  expect(findMistakes(sources, readDocument(DOCUMENT))).toEqual([
    'ARCHITECTURE.md names core/time/, which does not exist.',
  ])
})

/** Returns the mistakes of a package with one file. */
function packageMistakesWith(name: string, file: string, source: string): string[] {
  const packages = new Map([[name, new Map([[file, source]])]])
  return findPackageMistakes(packages, readDocument(DOCUMENT).packages)
}

test.each([
  ['audit', 'leaf.ts', `import { a } from './bytes.ts'`],
  ['audit', 'node/crypto.ts', `import { hash } from 'node:crypto'\nimport { a } from '../leaf.ts'`],
  ['server', 'main.ts', `import { a } from '@purser/audit'\nimport { b } from 'pg'`],
  ['cli', 'main.ts', `import type { A } from '@purser/server'\nawait import('@purser/server')`],
])('a sound file of the package %s has no mistake', (name, file, source) => {
  expect(packageMistakesWith(name, file, source)).toEqual([])
})

test.each([
  ['a package in audit', 'audit', 'node/main.ts', `import { Command } from 'commander'`],
  [
    "Node's modules in the library of audit",
    'audit',
    'leaf.ts',
    `import { hash } from 'node:crypto'`,
  ],
  [
    'the folder for Node in the library',
    'audit',
    'leaf.ts',
    `import { a } from './node/crypto.ts'`,
  ],
  ['the command in the server', 'server', 'main.ts', `import { a } from 'purser'`],
  ['the sources of another package', 'cli', 'main.ts', `import { a } from '../../server/src/a.ts'`],
  ['the server at once in the command', 'cli', 'main.ts', `import { a } from '@purser/server'`],
  ['anything in a package that is not listed', 'sdk', 'main.ts', ''],
])('an import of %s is found', (_what, name, file, source) => {
  expect(packageMistakesWith(name, file, source)).toHaveLength(1)
})

test('a page may name the end of a path, and a file that is gone is found', () => {
  const page = 'First `batch/judge-group.ts`, then `judge.ts` with `Submission.alongside`.'
  const files = ['packages/server/src/gateway/batch/judge-group.ts']
  expect(findUnknownFiles(new Map([['decisions.md', page]]), files)).toEqual([
    'decisions.md names judge.ts, which does not exist.',
  ])
})

test('the folders of the other packages are compared with their page', () => {
  const page = `
## \`packages/sdk\`

    src/                 the client
      client/            sends a request
      spend/             a spend
`
  expect(findUnlistedFolders(page, new Map([['sdk', ['client', 'streams']]]))).toEqual([
    'packages.md does not name packages/sdk/src/streams/.',
    'packages.md names packages/sdk/src/spend/, which is gone.',
  ])
})
