import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createCliDocs } from './cli-docs.ts'
import { createDecisionDocs } from './decision-docs.ts'
import { createErrorDocs } from './error-docs.ts'
import { createLimitDocs } from './limit-docs.ts'
import { createLogEventDocs } from './log-event-docs.ts'
import { createOpenApi } from './openapi.ts'
import { createRoleDocs } from './role-docs.ts'
import { createRuleDocs } from './rule-docs.ts'
import { createSettingDocs } from './setting-docs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every committed file that is generated from the code. */
const GENERATED = {
  'openapi.json': createOpenApi,
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
  for (const [path, create] of Object.entries(GENERATED)) {
    const fresh = await create()
    const committed = await readFile(ROOT + path, 'utf8').catch(() => '')
    if (committed === fresh) continue
    if (isCheck) {
      console.error(`${path} is stale. Run: npm run generate`)
      process.exitCode = 1
    } else {
      await writeFile(ROOT + path, fresh)
      console.log(`wrote ${path}`)
    }
  }
}

await main(process.argv.includes('--check'))
