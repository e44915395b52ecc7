import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCliDocs } from './cli-docs.ts'
import { createDecisionDocs } from './decision-docs.ts'
import { createErrorDocs } from './error-docs.ts'
import { createLimitDocs } from './limit-docs.ts'
import { createLogEventDocs } from './log-event-docs.ts'
import { createOpenApi } from './openapi.ts'
import { createRoleDocs } from './role-docs.ts'
import { createRuleDocs } from './rule-docs.ts'
import { createSdk, SDK_FOLDER } from './sdk/create-sdk.ts'
import { createSettingDocs } from './setting-docs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every committed file that is generated from the code. */
const GENERATED = {
  'docs/decisions.md': createDecisionDocs,
  'docs/errors.md': createErrorDocs,
  'docs/limits.md': createLimitDocs,
  'docs/log-events.md': createLogEventDocs,
  'docs/roles.md': createRoleDocs,
  'docs/rules.md': createRuleDocs,
  'docs/settings.md': createSettingDocs,
  'packages/cli/README.md': createCliDocs,
}

/** Writes the generated files. With --check it only lists the stale ones, and fails. */
async function main(isCheck: boolean): Promise<void> {
  const files = await createAll()
  for (const [path, fresh] of files) {
    const committed = await readFile(ROOT + path, 'utf8').catch(() => undefined)
    if (committed === fresh) continue
    if (isCheck) fail(`${path} is stale.`)
    else {
      await mkdir(dirname(ROOT + path), { recursive: true })
      await writeFile(ROOT + path, fresh)
      console.log(`wrote ${path}`)
    }
  }
  for (const path of await listSdkFiles()) {
    if (files.has(path)) continue
    if (isCheck) fail(`${path} is no longer generated.`)
    else {
      await rm(ROOT + path)
      console.log(`removed ${path}`)
    }
  }
}

async function createAll(): Promise<Map<string, string>> {
  const openApi = await createOpenApi()
  const files = new Map([['openapi.json', openApi], ...createSdk(JSON.parse(openApi))])
  for (const [path, create] of Object.entries(GENERATED)) files.set(path, await create())
  return files
}

/** The folder holds generated files only, so a file of an operation that is gone must go too. */
async function listSdkFiles(): Promise<string[]> {
  const entries = await readdir(ROOT + SDK_FOLDER, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('//', '/').slice(ROOT.length))
}

function fail(message: string): void {
  console.error(`${message} Run: npm run generate`)
  process.exitCode = 1
}

await main(process.argv.includes('--check'))
