import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareSetup } from '../src/people/prepare-setup.ts'
import { createTestApp, type TestApp } from './support/app.ts'
import { sealAll } from './support/audit-log.ts'
import { createTemporaryFolder } from './support/database.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import {
  type Answers,
  runSteps,
  type Step,
  stepsOf,
  surprises,
  unlike,
} from './support/shell-blocks.ts'

const ROOT = new URL('../../../', import.meta.url)
/** In reading order: each document continues in the terminal of the previous ones. */
const DOCUMENTS = [
  'README.md',
  'docs/guide-first-steps.md',
  'docs/guide-evaluate.md',
  'docs/guide-webhooks.md',
  'docs/retention.md',
  'docs/guide-card.md',
  'docs/guide-acp.md',
  'docs/guide-mandate-tokens.md',
  'docs/guide-approvals.md',
  'docs/guide-people.md',
  'docs/guide-backtest.md',
  'docs/guide-mandates-as-files.md',
  'docs/guide-analytics.md',
  'docs/guide-audit.md',
]

/**
 * A reader is slower than a delivery and sees its outcome. The shell is faster, so it polls
 * until the delivery has ended.
 */
const PATIENCE = `
asked() { curl -sS "$API/$1" -H "Authorization: Bearer $KEY"; }
call() {
  case "$1" in webhooks/deliveries/dlv_*[0-9a-f]) [ $# = 1 ] && while asked "$1" | grep -q '"status":"pending"'; do sleep 0.1; done ;; esac
  at=$1; shift; curl -sS "$API/$at" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"
}`

/**
 * Issuers wait a second or two, which may be too short on a busy machine. These tests do not measure
 * speed, so connections get a long deadline.
 */
const ISSUERS_WAIT = [
  `create function wait_long() returns trigger language plpgsql as
   $$ begin new.deadline_ms := 600000; return new; end $$`,
  `create trigger wait_long before insert on card_connections
   for each row when (new.provider = 'generic') execute function wait_long()`,
]

const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl)('the commands of', () => {
  const steps: readonly (readonly [string, Step])[] = DOCUMENTS.flatMap((name) =>
    stepsOf(new URL(name, ROOT)).map((step) => [name, step] as const),
  )
  let app: TestApp
  let receiver: Receiver
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let all: readonly Answers[]

  beforeAll(async () => {
    app = await createTestApp()
    for (const text of ISSUERS_WAIT) await app.database.db.query({ text })
    // The receivers of the guide answer in the same way.
    receiver = await startReceiver((response) => response.writeHead(204).end())
    folder = await createTemporaryFolder()
    const { apiKey } = await app.organization('My organization')
    // A reader reaches the audit log after its first seal.
    await sealAll(app)
    mkdirSync(join(folder.path, '.purser'))
    writeFileSync(join(folder.path, '.purser/initial-api-key'), apiKey)
    await prepareSetup(app.database.db, join(folder.path, '.purser'))
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const replaced = {
      'http://127.0.0.1:3000': address,
      'http://127.0.0.1:4000/hook': receiver.url,
    }
    all = await runSteps(
      steps.map(([, step]) => step),
      { folder: folder.path, replaced, prelude: PATIENCE },
    )
  })
  afterAll(async () => {
    await receiver.close()
    await app.stop()
    await folder.remove()
  })

  describe.each(DOCUMENTS)('%s', (document) => {
    const ofDocument = () =>
      steps.flatMap(([name, step], index) =>
        name === document ? [{ ...step, answers: all[index] ?? [] }] : [],
      )

    test('get the answers that it shows', () => {
      for (const { commands, samples, answers } of ofDocument()) {
        const said = `${commands}\nwas answered:\n${JSON.stringify(answers, null, 1)}`
        expect(unlike(samples, answers), said).toEqual([])
        expect(surprises(samples, answers), commands).toEqual([])
      }
    })

    test('print no answer that it leaves out', () => {
      const silent = ofDocument().filter(
        ({ samples, answers }) => answers.length > 0 && samples.length === 0,
      )
      expect(silent.map(({ commands }) => commands)).toEqual([])
    })
  })
})
