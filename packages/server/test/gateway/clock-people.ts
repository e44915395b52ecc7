import { createCaller } from '../support/caller.ts'
import { addFault, count, expectDone, isOver, type Load, send } from './clock-load.ts'
import { HALF_AN_HOUR_MS, isoIn, PROCESSES } from './turned-site.ts'

/**
 * Creates mandates and child mandates on any of the processes, changes them, tries to archive active
 * ones, and revokes them. Their `validUntil` lies where the clocks of the processes disagree.
 */
export async function runPerson(load: Load, person: number): Promise<void> {
  for (let n = 0; !isOver(load); n += 1) {
    load.left -= 8
    const line = await addLine(load)
    if (line) await changeLine(load, line, `${person} ${n}`)
    await useKey(load)
    if (line) await endLine(load, line)
  }
}

interface Held {
  readonly agentId: string
  readonly id: string
}

interface Line {
  readonly parent: Held
  readonly children: readonly Held[]
}

const LIMITS = [
  { type: 'limit', maxAmount: 20, window: 'period', groupBy: 'vendor' },
  { type: 'limit', maxCount: 400, window: 'day' },
]

/** A parent and two children, each step on a process of its own. Undefined if one of them failed. */
export async function addLine(load: Load): Promise<Line | undefined> {
  const parent = await addMandate(load, { budgetTotal: 40 })
  if (!parent) return undefined
  const children: Held[] = []
  for (const rules of [LIMITS, []]) {
    const terms = { budgetTotal: 25, parentMandateId: parent.id, rules }
    const child = await addMandate(load, terms, parent.id)
    if (!child) return undefined
    children.push(child)
  }
  load.agents.push(...[parent, ...children].map(({ agentId }) => agentId))
  return { parent, children }
}

async function addMandate(load: Load, terms: object, parentId?: string): Promise<Held | undefined> {
  const agent = await expectDone(load, { path: '/agents', body: { name: 'Agent' } })
  if (!agent) return undefined
  const body = {
    ...terms,
    agentId: agent.id,
    validFrom: isoIn(-HALF_AN_HOUR_MS),
    validUntil: isoIn(HALF_AN_HOUR_MS),
  }
  const mandate = await expectDone(load, {
    path: '/mandates',
    // A child may not begin before its parent, which was made a moment ago.
    body: parentId === undefined ? body : { ...body, validFrom: null, validUntil: null },
  })
  if (!mandate) return undefined
  load.ledger.addMandate(mandate.id, parentId)
  if (!(await expectDone(load, { path: `/mandates/${mandate.id}/activate` }))) return undefined
  return { agentId: agent.id, id: mandate.id }
}

async function changeLine(load: Load, { parent, children }: Line, name: string): Promise<void> {
  const { random } = load
  const one = random.pick([parent, ...children])
  const path = `/mandates/${one.id}`
  await expectDone(load, { method: 'PATCH', path, body: { name }, key: `name ${name}` })
  const budgetTotal = 40 + random.between(1, 20)
  const budget = { method: 'PATCH', path: `/mandates/${parent.id}/budget` } as const
  await expectDone(load, { ...budget, body: { budgetTotal } })
  await expectAlive(load, path)
  await expectRefused(load, path)
  const agent = { method: 'PATCH', path: `/agents/${random.pick(children).agentId}` } as const
  await expectDone(load, { ...agent, body: { status: 'paused' } })
  await expectDone(load, { ...agent, body: { status: 'active' } })
}

async function expectAlive(load: Load, path: string): Promise<void> {
  for (const on of PROCESSES) {
    const { status, text } = await load.site.call(on, { method: 'GET', path })
    const shown = status === 200 ? JSON.parse(text).status : text.slice(0, 200)
    if (shown !== 'active') addFault(load, `a living mandate is shown ${on} as ${shown}`)
  }
}

async function expectRefused(load: Load, path: string): Promise<void> {
  const { status, on } = await send(load, { method: 'DELETE', path })
  count(load, 'archive refused')
  if (status !== 409) addFault(load, `${status}: a living mandate was archived by ${on}`)
}

async function useKey(load: Load): Promise<void> {
  const body = { name: 'Key', expiresAt: isoIn(HALF_AN_HOUR_MS) }
  const key = await expectDone(load, { path: '/api-keys', body })
  if (!key) return
  const caller = createCaller(key.apiKey)
  for (const on of PROCESSES) {
    const { status } = await load.site.call(on, { method: 'GET', path: '/agents?limit=1' }, caller)
    if (status !== 200) addFault(load, `${status}: a living key was refused by ${on}`)
  }
  caller.close()
  await expectDone(load, { method: 'DELETE', path: `/api-keys/${key.id}` })
}

/** Some of its agents stay a while, so that spends meet mandates that were revoked. */
async function endLine(load: Load, { parent, children }: Line): Promise<void> {
  await expectDone(load, { path: `/mandates/${parent.id}/revoke` })
  for (const { id, agentId } of [parent, ...children]) {
    await expectDone(load, { method: 'DELETE', path: `/mandates/${id}` })
    load.agents.splice(load.agents.indexOf(agentId), 1)
  }
  count(load, 'archived')
}
