// Loaded before the gateway (`--import`): from the moment the file in FULL_DISK_WHEN is there, the
// system has no room left for a sync, as on a disk that is full.
import fs, { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { fsyncSync } = fs
fs.fsyncSync = (descriptor) => {
  if (existsSync(process.env.FULL_DISK_WHEN)) {
    throw Object.assign(new Error('ENOSPC: no space left on device, fsync'), { code: 'ENOSPC' })
  }
  return fsyncSync(descriptor)
}
syncBuiltinESMExports()
