// Loaded before the gateway (`--import`). As soon as the file named by FULL_DISK_WHEN exists, a sync
// fails as on a full disk.
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
