import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { markFolder } from '../../src/demo/record.ts'
import {
  refuseEnvironment,
  refuseForeignFolder,
  refuseOtherOrganization,
} from '../../src/demo/refusals.ts'
import { startDemo } from '../../src/demo/run.ts'
import { createTemporaryFolder } from '../support/database.ts'

describe('the demo does not start', () => {
  let temporary: Awaited<ReturnType<typeof createTemporaryFolder>>
  let folder: string
  beforeEach(async () => {
    temporary = await createTemporaryFolder()
    folder = join(temporary.path, 'data')
  })
  afterEach(() => temporary.remove())

  test.each(['DATABASE_URL', 'DATABASE_URL_FILE'])('with %s', (name) => {
    expect(() => refuseEnvironment({ [name]: 'postgres://localhost/purser' })).toThrow(
      `because ${name} is set: it writes invented spends, and only into an embedded database of its own`,
    )
  })

  test('in production', () => {
    expect(() => refuseEnvironment({ PURSER_ENV: 'production' })).toThrow(
      'because PURSER_ENV is production',
    )
    expect(() => refuseEnvironment({ PURSER_ENV: 'development' })).not.toThrow()
  })

  test('on the folder of another installation', async () => {
    expect(() => refuseForeignFolder(folder)).not.toThrow()
    await mkdir(join(folder, 'db'), { recursive: true })
    await writeFile(join(folder, 'initial-api-key'), 'kept')
    expect(() => refuseForeignFolder(folder)).toThrow('belongs to another installation')
    await markFolder(folder)
    expect(() => refuseForeignFolder(folder)).not.toThrow()
  })

  test('on a port in use, and names its own option', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    await expect(startDemo({}, { dataDir: folder, port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use. Stop the other program, or choose another port with --port.`,
    )
    other.close()
  })

  test('on a demo folder with an organization that is not from the demo', () => {
    const refuse = (found: readonly string[]) => () =>
      refuseOtherOrganization('/data', 'org_1', found)
    expect(refuse(['org_1'])).not.toThrow()
    expect(refuse(['org_1', 'org_2'])).toThrow('has an organization that is not from the demo')
    expect(refuse(['org_2'])).toThrow('has an organization that is not from the demo')
  })
})
