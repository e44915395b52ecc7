import { join } from 'node:path'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  type Engine,
  usualEngine,
} from './database.ts'
import type { Place } from './gateway-cluster.ts'

/**
 * Creates a data location for gateway processes of a test. It is migrated, and no process has it
 * open.
 */
export async function createPlace(
  engine: Engine = usualEngine(),
): Promise<{ readonly place: Place; remove(): Promise<void> }> {
  if (engine === 'postgres') {
    const { url, drop } = await createTestDatabase('postgres')
    return { place: { databaseUrl: url }, remove: drop }
  }
  const { path, remove } = await createTemporaryFolder()
  const dataDir = join(path, 'data')
  copyEmbeddedTemplate(dataDir)
  return { place: { dataDir }, remove }
}
