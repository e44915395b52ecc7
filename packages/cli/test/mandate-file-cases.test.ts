import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bodyOf } from '../../server/test/support/builders.ts'
import { callPurser } from './support/in-process.ts'
import { aroundMandateFiles, FILE } from './support/mandate-files.ts'

const { owner, at, run, write, theAgent, stateOf } = aroundMandateFiles()

test('test judges the cases of a file, also in JUnit and JSON', async () => {
  await theAgent()
  const junit = at('report.xml')
  const passed = await run(['test', await write(FILE), '--junit', junit])
  expect(passed).toMatchObject({ code: 0, told: '' })
  expect(passed.out).toContain('  ok    a small spend passes')
  expect(passed.out).toContain('2 passed, 0 failed.')
  expect(await readFile(junit, 'utf8')).toContain('tests="2" failures="0"')
  const wrong = await write(FILE.replace('max: 20', 'max: 60'))
  const failed = await run(['test', wrong, '--junit', junit])
  expect(failed.code).toBe(1)
  expect(failed.out).toContain('  FAIL  a large one does not (line 13)')
  expect(failed.out).toContain('expected the decision rejected, but it was approved')
  expect(await readFile(junit, 'utf8')).toContain('tests="2" failures="1"')
  const json = JSON.parse((await run(['test', wrong, '--json'])).out)
  expect(json).toMatchObject({ passed: 1, failed: 1, mandates: [{ cases: [{}, { line: 13 }] }] })
  expect(await stateOf()).toEqual([])
})

test('a spent budget changes a test only with --live', async () => {
  const { id: agentId } = await theAgent()
  const file = await write(FILE)
  await run(['apply', file, '--yes'])
  const spend = { agentId, amount: 19, vendor: 'api.openai.com', category: 'llm' }
  for (let count = 0; count < 5; count += 1) {
    expect(bodyOf(await owner().post('/gateway/evaluate', spend)).decision).toBe('approved')
  }
  await write(FILE.replace('amount: 5\n', 'amount: 6\n'))
  expect(await run(['test', file])).toMatchObject({ code: 0 })
  const live = await run(['test', file, '--live'])
  expect(live.code).toBe(1)
  expect(live.out).toContain('expected the decision approved, but it was rejected')
})

test('lint names the place of each mistake, without a key if it is offline', async () => {
  const file = await write(
    'agent: research\nname: Budget\nbudgetTotl: 5\nrules: [{type: amuont}]\n',
  )
  const offline = await callPurser(['mandates', 'lint', file, '--offline'], {})
  expect(await offline.exited()).toBe(1)
  expect(offline.told).toEqual([
    `${file}:3: budgetTotl is not a field here; did you mean budgetTotal?`,
    expect.stringContaining(`${file}:4: rules[0].type must be`),
  ])
  const json = JSON.parse((await run(['lint', file, '--json'])).out)
  expect(json.mistakes).toMatchObject([{ line: 3, field: 'budgetTotl' }, { line: 4 }])
  await theAgent()
  const right = await run(['lint', await write(FILE)])
  expect(right).toMatchObject({ code: 0, out: '1 file with 1 mandate: no mistakes.' })
})

test.each([
  [['lint', 'nothing.yaml'], 1, 'There is no file nothing.yaml.'],
  [['test'], 2, "missing required argument 'files'"],
  [['aply', 'x.yaml'], 2, 'Did you mean apply?'],
])('purser mandates %j fails with a sentence', async (args, code, sentence) => {
  const failed = await run(args)
  expect(failed).toMatchObject({ code, out: '' })
  expect(failed.told).toContain(sentence)
})
