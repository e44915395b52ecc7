import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FIRST_SPEND } from '../src/process/welcome.ts'
import { buildPrograms } from './support/built-programs.ts'
import {
  copyEmbeddedTemplate,
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
} from './support/database.ts'
import { killPrograms, startProgram } from './support/program.ts'
import { waitUntil } from './support/wait-until.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
})
afterEach(async () => {
  await killPrograms()
  await chmod(dataDir, 0o700).catch(() => {})
  await folder.remove()
})

/** The message of a start that fails: it exits with 1 and shows no stack trace. */
async function refusalOf(env: Record<string, string>, user = {}): Promise<string> {
  const program = await startProgram({ PURSER_DATA_DIR: dataDir, ...env }, user)
  const { code } = await program.exited()
  const said = program.told.join('\n')
  expect({ code, said }).toMatchObject({ code: 1 })
  expect(said).not.toMatch(/^ {4}at /m)
  return said
}

/** A root process can write everywhere, so the program then runs as the user nobody. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Whether the user nobody cannot run the program, because only root can read the repository. */
async function isClosedToNobody(): Promise<boolean> {
  if (!isRoot) return false
  const { gateway } = await buildPrograms()
  for (let path = dirname(gateway); path !== '/'; path = dirname(path)) {
    if (((await stat(path)).mode & 0o005) !== 0o005) return true
  }
  return false
}

describe('a start says what to do', () => {
  test('when the data folder cannot be written', async ({ skip }) => {
    skip(await isClosedToNobody())
    await mkdir(dataDir, { mode: 0o500 })
    await chmod(folder.path, 0o755)
    if (isRoot) await chown(dataDir, NOBODY, NOBODY)
    expect(await refusalOf({}, asNobody)).toMatch(/cannot be written\. Run: {2}chmod u\+rwx '/)
  })

  test.runIf(isRoot)('when the data folder belongs to another user', async ({ skip }) => {
    skip(await isClosedToNobody())
    await mkdir(dataDir, { mode: 0o755 })
    await chmod(folder.path, 0o755)
    const said = await refusalOf({}, asNobody)
    expect(said).toMatch(/belongs to another user \(0, and this process runs as 65534\)/)
    expect(said).toContain(`sudo chown -R 65534 '${dataDir}'`)
  })

  test('when the files of the embedded database are damaged', async () => {
    copyEmbeddedTemplate(dataDir)
    await writeFile(join(dataDir, 'db', 'global', 'pg_control'), 'damaged')
    expect(await refusalOf({})).toMatch(/database in .* cannot be started.*Restore .* backup/)
  })
})

test('a gateway whose output is not a terminal writes one JSON object per line, from start to end', async () => {
  const program = await startProgram({ PURSER_DATA_DIR: dataDir })
  await program.url()
  await waitUntil(() => program.lines.some((line) => line.includes('"shell"')))
  program.signal('SIGTERM')
  expect(await program.exited()).toMatchObject({ code: 0 })
  const lines = program.lines.map((line) => JSON.parse(line))
  expect(lines.every(({ event }) => typeof event === 'string')).toBe(true)
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      'Starting Purser.',
      expect.stringContaining('This is the first start: creating the database'),
      expect.stringContaining('Purser listens on http://'),
      expect.stringContaining('Its API key is in '),
      'Stopped.',
    ]),
  )
  const shell = lines.map((line) => line.shell).find((text) => text !== undefined)
  expect(shell.split('\n').slice(-FIRST_SPEND.length)).toEqual(FIRST_SPEND)
})

test('only the first start says that it creates the database', async () => {
  copyEmbeddedTemplate(dataDir)
  const program = await startProgram({ PURSER_DATA_DIR: dataDir })
  await program.url()
  program.signal('SIGTERM')
  expect(await program.exited()).toMatchObject({ code: 0 })
  const events = program.lines.map((line) => JSON.parse(line).event)
  expect(events).toContain('process.starting')
  expect(events).not.toContain('process.database_creating')
})

describeOnPostgres('a start on PostgreSQL says what to do', () => {
  let database: Awaited<ReturnType<typeof createEmptyPostgresDatabase>>
  beforeEach(async () => {
    database = await createEmptyPostgresDatabase()
  })
  afterEach(() => database.drop())

  test('when the role lacks the rights', async () => {
    const role = `weak_${new URL(database.url).pathname.slice(1)}`
    await database.db.query({ text: `create role ${role} login` })
    await database.db.query({ text: 'revoke create on schema public from public' })
    const url = Object.assign(new URL(database.url), { username: role, password: '' }).href
    expect(await refusalOf({ DATABASE_URL: url })).toMatch(
      /lacks the rights.*permission denied.*alter database "test_\w+" owner to "weak_/,
    )
    await database.db.query({ text: `drop role ${role}` })
  })

  test('when the data folder has a database that is not used, and a setting is mistyped', async () => {
    await mkdir(join(dataDir, 'db'), { recursive: true })
    const env = { PURSER_DATA_DIR: dataDir, DATABASE_URL: database.url, PURSER_PROT: '4000' }
    const program = await startProgram(env)
    await program.url()
    const said = program.lines.join('\n')
    expect(said).toMatch(/DATABASE_URL is set, so Purser ignores the embedded database in /)
    expect(said).toContain(
      'PURSER_PROT is not a setting; starting without it. Did you mean PURSER_PORT?',
    )
  })
})
