import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCliDocs } from './cli-docs.ts'
import { createCliReference } from './cli-reference.ts'
import { compareFiles } from './compare-files.ts'
import { CONSOLE_FOLDER, createConsoleApi } from './console-api/create-console-api.ts'
import { createDecisionDocs } from './decision-docs.ts'
import { createErrorDocs } from './error-docs.ts'
import { createLimitDocs } from './limit-docs.ts'
import { createLogEventDocs } from './log-event-docs.ts'
import { createMetricDocs } from './metric-docs.ts'
import { createOpenApi } from './openapi.ts'
import { createRoleDocs } from './role-docs.ts'
import { createRuleCatalogue } from './rule-catalogue.ts'
import { createRuleDocs } from './rule-docs.ts'
import { createSdk, SDK_FOLDER } from './sdk/create-sdk.ts'
import { createSettingDocs } from './setting-docs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every committed file that is generated from the code. */
const GENERATED = {
  'openapi.json': createOpenApi,
  'docs/cli.md': createCliReference,
  'docs/decisions.md': createDecisionDocs,
  'docs/errors.md': createErrorDocs,
  'docs/limits.md': createLimitDocs,
  'docs/log-events.md': createLogEventDocs,
  'docs/metrics.md': createMetricDocs,
  'docs/roles.md': createRoleDocs,
  'docs/rules.md': createRuleDocs,
  'docs/settings.md': createSettingDocs,
  'packages/cli/README.md': createCliDocs,
  'packages/mcp/src/generated/rule-catalogue.ts': createRuleCatalogue,
}

/** Writes the generated files. With --check it only lists the stale ones, and fails. */
async function main(isCheck: boolean): Promise<void> {
  const files = await createAll()
  const { stale, leftOver } = await compareFiles(ROOT, files, [SDK_FOLDER, CONSOLE_FOLDER])
  if (isCheck) {
    for (const path of stale) fail(`${path} is stale.`)
    for (const path of leftOver) fail(`${path} is not generated any more.`)
    return
  }
  for (const path of stale) {
    await mkdir(dirname(ROOT + path), { recursive: true })
    await writeFile(ROOT + path, files.get(path) ?? '')
    console.log(`wrote ${path}`)
  }
  for (const path of leftOver) {
    await rm(ROOT + path)
    console.log(`removed ${path}`)
  }
}

async function createAll(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [path, create] of Object.entries(GENERATED)) files.set(path, await create())
  const openApi = JSON.parse(files.get('openapi.json') ?? '')
  return new Map([...files, ...createSdk(openApi), ...(await createConsoleApi(openApi))])
}

function fail(message: string): void {
  console.error(`${message} Run: npm run generate`)
  process.exitCode = 1
}

await main(process.argv.includes('--check'))
