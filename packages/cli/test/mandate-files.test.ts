import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { anAgent, bodyOf } from '../../server/test/support/builders.ts'
import { aroundMandateFiles, FILE } from './support/mandate-files.ts'
import { killPursers, startPurser } from './support/purser.ts'

const { owner, env, run, write, theAgent, stateOf } = aroundMandateFiles()
afterEach(() => killPursers())

/** The id of the only mandate. */
async function theMandate(): Promise<string> {
  const [one, ...others] = await stateOf()
  expect(others).toEqual([])
  return one?.id ?? ''
}

test('files are applied once: a repetition finds nothing to do', async () => {
  await theAgent()
  const file = await write(FILE)
  const differs = await run(['diff', file])
  expect(differs.code).toBe(5)
  expect(differs.out).toContain('activate the draft (asks first)')
  expect(await stateOf()).toEqual([])
  const applied = await run(['apply', file, '--yes'])
  expect(applied).toMatchObject({ code: 0, told: '' })
  expect(applied.out).toMatch(/Done: Budget: activate the draft \(mnd_\w+, active, version 1\)/)
  const state = await stateOf()
  expect(state).toMatchObject([{ status: 'active', version: 1 }])
  expect(await run(['diff', file])).toMatchObject({ code: 0 })
  const again = await run(['apply', file])
  expect(again.code).toBe(0)
  expect(again.out).toContain('Nothing to do.')
  expect(await stateOf()).toEqual(state)
})

test('changed rules become the next version, and terms that the file does not name stay', async () => {
  await theAgent()
  const file = await write(FILE)
  await run(['apply', file, '--yes'])
  const id = await theMandate()
  bodyOf(await owner().patch(`/mandates/${id}`, { validUntil: '2099-01-01T00:00:00Z' }))
  await write(FILE.replace('max: 20', 'max: 30'))
  const applied = await run(['apply', file, '--yes', '--json'])
  expect(applied.code).toBe(0)
  expect(applied.told).toContain('~ rules.amount.max: 20 -> 30')
  const answer = JSON.parse(applied.out)
  expect(answer.done.map(({ action }: { action: string }) => action)).toEqual([
    'draft_next',
    'activate',
  ])
  const mandate = bodyOf(await owner().get(`/mandates/${id}`))
  expect(mandate).toMatchObject({ version: 3, validUntil: '2099-01-01T00:00:00.000Z' })
  expect(mandate.rules).toMatchObject([{ max: 30 }, { allow: ['api.openai.com'] }])
  expect(await stateOf()).toHaveLength(1)
})

test('apply asks before it activates or raises a budget, and only yes agrees', async () => {
  await theAgent()
  const file = await write(FILE)
  const refused = await run(['apply', file])
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.told).toContain('add --yes')
  const no = await run(['apply', file], { stdin: 'y\n', terminal: true })
  expect(no).toMatchObject({ code: 1 })
  expect(no.told).toContain('Nothing was changed.')
  const ended = await run(['apply', file], { stdin: '', terminal: true })
  expect(ended).toMatchObject({ code: 1 })
  // The output of a test is no terminal, so the person sees only standard error.
  expect(ended.told).toContain('+ budgetTotal: 100')
  expect(await stateOf()).toEqual([])
  const yes = await run(['apply', file], { stdin: 'yes\n', terminal: true })
  expect(yes).toMatchObject({ code: 0 })
  await write(FILE.replace('budgetTotal: 100', 'budgetTotal: 90'))
  expect(await run(['apply', file])).toMatchObject({ code: 0, told: '' })
  await write(FILE.replace('budgetTotal: 100', 'budgetTotal: 95'))
  expect(await run(['apply', file])).toMatchObject({ code: 2 })
  const id = await theMandate()
  expect(bodyOf(await owner().get(`/mandates/${id}`))).toMatchObject({
    version: 2,
    budgetTotal: 90,
  })
})

test('apply carries out only the plan that was shown', async () => {
  await theAgent()
  const file = await write(FILE)
  const { plan } = JSON.parse((await run(['diff', file, '--json'])).out)
  const other = await run(['apply', file, '--yes', '--plan', 'f00d'])
  expect(other).toMatchObject({ code: 1 })
  expect(other.told).toContain(`The plan is ${plan} now, and not f00d. Nothing was changed.`)
  expect(await stateOf()).toEqual([])
  expect(await run(['apply', file, '--yes', '--plan', plan])).toMatchObject({ code: 0 })
  // A repetition finds nothing to do, so it needs no plan.
  expect(await run(['apply', file, '--yes', '--plan', plan])).toMatchObject({ code: 0 })
})

test('a change between the plan and the answer of the person stops the run', async () => {
  await theAgent()
  const file = await write(FILE)
  await run(['apply', file, '--yes'])
  const id = await theMandate()
  await write(FILE.replace('budgetTotal: 100', 'budgetTotal: 150'))
  // The person answers after a second person has changed the mandate.
  const answer = async function* () {
    bodyOf(await owner().patch(`/mandates/${id}/budget`, { budgetTotal: 70 }))
    yield 'yes\n'
  }
  const { code, told } = await run(['apply', file], { stdin: answer(), terminal: true })
  expect(code).toBe(1)
  expect(told).toContain('Stopped after 0 of 1 step.')
  expect(told).toContain('~ budgetTotal: 100 -> 70')
  expect(bodyOf(await owner().get(`/mandates/${id}`)).budgetTotal).toBe(70)
})

test('a child that is wider than its parent stops the run at its line', async () => {
  for (const externalId of ['team', 'research'])
    await anAgent(owner(), { name: externalId, externalId })
  const parent = 'agent: team\nname: Team\nbudgetTotal: 50\n---\n'
  const file = await write(`${parent}${FILE}parent: {agent: team, name: Team}\n`)
  const stopped = await run(['apply', file, '--yes', '--json'])
  expect(stopped.code).toBe(1)
  expect(stopped.told).toContain('Stopped after 2 of 4 steps.')
  expect(stopped.told).toContain('research.yaml:7: budgetTotal ')
  expect(JSON.parse(stopped.out)).toMatchObject({
    done: [{ action: 'create' }, { action: 'activate' }],
    mistakes: [{ line: 7, field: 'budgetTotal' }],
  })
  await write(
    `${parent}${FILE.replace('budgetTotal: 100', 'budgetTotal: 40')}parent: {agent: team, name: Team}\n`,
  )
  expect(await run(['apply', file, '--yes'])).toMatchObject({ code: 0 })
  expect(await run(['diff', file])).toMatchObject({ code: 0 })
})

test('a run that broke off goes on with the draft that it had made', async () => {
  await theAgent()
  const file = await write(FILE)
  await run(['apply', file, '--yes'])
  await write(FILE.replace('max: 20', 'max: 30'))
  expect(await run(['draft', file])).toMatchObject({ code: 0 })
  expect(await run(['draft', file])).toMatchObject({ code: 0 })
  expect(await stateOf()).toHaveLength(2)
  const applied = await run(['apply', file, '--yes'])
  expect(applied.out).toContain('1 step for 1 mandate')
  expect(await stateOf()).toMatchObject([{ status: 'active', version: 2 }])
})

test('draft makes a draft from a file, and changes it in place', async () => {
  await theAgent()
  const file = await write(FILE)
  expect(await run(['draft', file])).toMatchObject({ code: 0, told: '' })
  await write(FILE.replace('budgetTotal: 100', 'budgetTotal: 80'))
  expect(await run(['draft', file])).toMatchObject({ code: 0 })
  expect(bodyOf(await owner().get(`/mandates/${await theMandate()}`))).toMatchObject({
    status: 'draft',
    budgetTotal: 80,
  })
})

test('apply does not undo a revocation', async () => {
  await theAgent()
  const file = await write(FILE)
  await run(['apply', file, '--yes'])
  const id = await theMandate()
  bodyOf(await owner().post(`/mandates/${id}/revoke`))
  const refused = await run(['apply', file, '--yes'])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.told).toContain(`research.yaml:2: name belongs to ${id}, which was revoked at`)
})

test('two agents or mandates that fit are an error with the line', async () => {
  await theAgent()
  await anAgent(owner(), { name: 'research' })
  const refused = await run(['apply', await write(FILE), '--yes'])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.told).toContain('research.yaml:1: agent means two agents: ')
  expect(await stateOf()).toEqual([])
})

test('the gateway names the line of a rule that it refuses, and nothing is changed', async () => {
  await theAgent()
  const file = await write(FILE.replace('max: 20', 'max: 20, min: 50'))
  for (const command of ['lint', 'test', 'diff', 'draft', 'apply']) {
    const refused = await run([command, file])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.told).toMatch(/research\.yaml:5: rules\[0\]\.\w+ /)
  }
  expect(await stateOf()).toEqual([])
})

const EXAMPLES = fileURLToPath(new URL('../../../examples/mandates', import.meta.url))

test('the example files pass their tests, and are applied with parents first', async () => {
  for (const externalId of ['team', 'research', 'office']) {
    await anAgent(owner(), { name: externalId, externalId })
  }
  const tested = await run(['test', EXAMPLES])
  expect(tested.out).toContain('7 passed, 0 failed.')
  expect(tested.code).toBe(0)
  const process = await startPurser(['mandates', 'test', EXAMPLES], env())
  expect(await process.exited()).toBe(0)
  const applied = await run(['apply', EXAMPLES, '--yes'])
  expect(applied).toMatchObject({ code: 0 })
  expect(await run(['diff', EXAMPLES])).toMatchObject({ code: 0 })
  const live = await run(['test', EXAMPLES, '--live'])
  expect(live.out).toContain('7 passed, 0 failed.')
  const { data } = bodyOf(await owner().get('/mandates?status=active'))
  const named = (name: string) => data.find((each) => each.name === name)
  expect(named('Research')?.parentMandateId).toBe(named('Team')?.id)
})

test('mistakes in a file show no control characters of the file', async () => {
  const file = await write(`${FILE}"\\e[2Jx": 1\n`)
  const linted = await run(['lint', file, '--offline'])
  expect(linted).toMatchObject({ code: 1, out: '' })
  expect(linted.told).toContain('?[2Jx is not a field here')
})
