import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the names in a folder durable: syncing a file does not cover the entry that names it. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders and keeps their entries durable by itself.
  if (process.platform === 'win32') return
  await syncPath(folder, 'r')
}

/** Syncs every file and folder below it, as initdb does for a server's new files. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await syncFolder(path)
    // Windows syncs only files that are open for writing.
    else await syncPath(path, 'r+')
  }
  await syncFolder(folder)
}

async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
