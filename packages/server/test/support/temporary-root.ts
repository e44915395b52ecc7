import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const BYTES_MIN = 4 * 1024 ** 3

/**
 * The folder for test databases: in memory if there is room, because syncing commits to a disk
 * takes longer than all other work. With PURSER_TEST_DISK=1 they are on the disk, as in the deep
 * suite.
 */
export function temporaryRoot(env: NodeJS.ProcessEnv = process.env): string {
  return env['PURSER_TEST_DISK'] !== '1' && hasRoom() ? MEMORY : tmpdir()
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > BYTES_MIN
}
