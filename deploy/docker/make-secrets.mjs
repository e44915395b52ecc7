// Makes the secrets of deploy/compose/compose.yml at the first start, in one folder for each service
// that needs them. A secret that exists is never changed: the encrypted values of a database
// cannot be read without its master key.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.argv[2] ?? '/secrets'
/** Only the user of the gateway can read them. The entry point of PostgreSQL reads its own as root. */
const PRIVATE = 0o400
/** Grafana has a user of its own, and only its container and this one have the folder. */
const READABLE = 0o444

function secret(path, make, mode) {
  const file = join(FOLDER, path)
  const unfinished = `${file}.new`
  try {
    rmSync(unfinished, { force: true })
    writeFileSync(unfinished, make(), { mode, flag: 'wx' })
    // Fails if the file exists. So no service reads half of a secret, and two starts cannot make two.
    linkSync(unfinished, file)
    console.log(`Made ${path}.`)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

const word = () => randomBytes(24).toString('base64url')

secret('gateway/master-key', () => randomBytes(32).toString('base64'), PRIVATE)
const password = secret('database/password', word, PRIVATE)
secret('gateway/database-url', () => `postgres://purser:${password}@database:5432/purser`, PRIVATE)
secret('grafana/password', word, READABLE)
