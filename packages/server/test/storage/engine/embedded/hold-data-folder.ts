import { lockDataFolder } from '../../../../src/storage/engine/embedded/data-folder.ts'

// Takes the folder, says so or why not, and stays until it is killed.
try {
  await lockDataFolder(process.argv[2] ?? '')
  process.stdout.write(`held ${process.pid}\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
}
setInterval(() => {}, 60_000)
