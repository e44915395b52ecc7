import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { type Config, readConfig } from '../process/config.ts'
import { askGateway } from '../process/control/ask-control.ts'
import { checkAddresses, checkGateway } from '../process/doctor/addresses.ts'
import { type Check, fail, messageOf, warn } from '../process/doctor/check.ts'
import { examineDatabase } from '../process/doctor/examine.ts'
import { checkDisk, checkFiles, checkNode, checkSettings } from '../process/doctor/machine.ts'
import { openDatabase } from '../storage/engine/database.ts'

export type { Check } from '../process/doctor/check.ts'

/**
 * Checks an installation, with or without a running gateway. It changes nothing: it applies no
 * migration, creates no database and no key.
 */
export async function runDoctor(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<Check[]> {
  const node = checkNode()
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    return [node, fail('settings', messageOf(error), 'Correct the settings, and run this again.')]
  }
  return [
    node,
    checkSettings(config),
    await checkFiles(config),
    await checkDisk(config),
    await checkGateway(config),
    await checkAddresses(config),
    ...(await checkDatabase(config, log)),
  ]
}

async function checkDatabase(config: Config, log: Log): Promise<Check[]> {
  const { storage } = config
  if (storage.databaseUrl === undefined && !existsSync(join(storage.dataDir, 'db'))) {
    const text = `${storage.dataDir} has no database yet.`
    return [warn('engine', text, 'Start a gateway, which creates it, or set PURSER_DATA_DIR.')]
  }
  try {
    const asked = await askRunning(storage)
    if (asked !== undefined) return asked
    const db = await openDatabase({ ...storage, connectionsMax: 1 }, log)
    try {
      return await examineDatabase(db, config)
    } finally {
      await db.close()
    }
  } catch (error) {
    const action = 'Start the database, and check DATABASE_URL or PURSER_DATA_DIR.'
    return [fail('engine', messageOf(error), action)]
  }
}

/**
 * The gateway that has the embedded database open runs the checks. Returns undefined if there is
 * none.
 */
async function askRunning(storage: Config['storage']): Promise<Check[] | undefined> {
  const answered = await askGateway(storage, { command: 'doctor' })
  if (answered === undefined) return undefined
  answered.close()
  const { checks } = answered.result
  // The gateway has this user's rights and the same program, so its answer needs no further check.
  return Array.isArray(checks) ? (checks as Check[]) : []
}
