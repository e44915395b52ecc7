import type { Database } from '../../src/storage/engine/database.ts'
import { audit } from './audit.ts'
import { type Call, type CallAnswer, type Caller, createCaller } from './caller.ts'
import { addMandate, openSite, type Place, type Site } from './gateway-cluster.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { createRandom, type Random } from './random.ts'

/** How long a client waits before a retry; `Retry-After` would be a whole second. */
const REPEAT_AFTER_MS = 10

interface DrillSettings {
  readonly place: Place
  /** Spends per transaction at most. */
  readonly batchSizeMax?: number
  /** The number of concurrent processes; the embedded engine allows one. */
  readonly gateways: number
  readonly killsPerGateway: number
  readonly clients: number
  readonly seed: number
  readonly onKill?: (kills: number) => void
}

export interface DrillResult {
  readonly kills: number
  /** The number of requests whose answer arrived. */
  readonly answered: number
  /** How often a request had to be retried because its answer did not arrive. */
  readonly repeats: number
  /** How many of those had already been carried out, although the client got no answer. */
  readonly foundDone: number
  /** The mistakes that were found. */
  readonly faults: readonly string[]
  /** The results that the clients received, to compare with the database. */
  readonly spends: readonly AnsweredSpend[]
}

export interface AnsweredSpend {
  readonly key: string
  readonly text: string
}

/** A request and its answer, which must never change. */
interface Answered {
  readonly call: Call
  readonly text: string
}

/**
 * Gateways under load are killed and restarted. Each client sends one request after another, each
 * with its own key. It retries an unanswered request with the same key, on any gateway that is
 * running, until it gets an answer. At the end, every answered request is sent again.
 */
export async function runKillDrill(settings: DrillSettings): Promise<DrillResult> {
  const random = createRandom(settings.seed)
  const { site, first } = await openSite(settings.place, {
    PURSER_BATCH_SIZE_MAX: String(settings.batchSizeMax ?? 256),
  })
  const caller = createCaller(site.apiKey)
  const agents = await addAgents(site, first)
  const drill = createDrill(settings, site, caller, random)
  const slots = Array.from({ length: settings.gateways }, (_, slot) =>
    drill.killAgainAndAgain(slot, slot === 0 ? first : undefined),
  )
  const clients = Array.from({ length: settings.clients }, (_, client) =>
    drill.runClient(client, agents),
  )
  try {
    await Promise.all(slots)
    drill.end()
    await Promise.all(clients)
    await drill.askAgain()
  } finally {
    drill.end()
    await drill.stopGateways()
    caller.close()
    await site.close()
  }
  return drill.result()
}

/** Creates budgets that run out, a shared parent and limits: everything that must survive together. */
async function addAgents(site: Site, gateway: GatewayProcess): Promise<string[]> {
  const rules = [{ type: 'limit', maxAmount: 500, window: '90d' }]
  const parent = await addMandate(site, gateway, { budgetTotal: 600 })
  const terms = { budgetTotal: 400, parentMandateId: parent.mandateId, rules }
  const children = [await addMandate(site, gateway, terms), await addMandate(site, gateway, terms)]
  const lone = await addMandate(site, gateway, { budgetTotal: 100_000, rules: [] })
  return [parent, ...children, lone].map(({ agentId }) => agentId)
}

function createDrill(settings: DrillSettings, site: Site, caller: Caller, random: Random) {
  const live = new Map<number, GatewayProcess>()
  const answered: Answered[] = []
  const spends: AnsweredSpend[] = []
  const faults: string[] = []
  const counts = { kills: 0, repeats: 0, foundDone: 0 }
  let isOver = false
  let wake: (() => void)[] = []
  const changed = (): Promise<void> => new Promise((resolve) => wake.push(resolve))
  const announce = (): void => {
    const waiting = wake
    wake = []
    for (const resolve of waiting) resolve()
  }

  /** Runs one gateway: it is started, killed in the middle of its work, restarted, and so on. */
  async function killAgainAndAgain(slot: number, first: GatewayProcess | undefined): Promise<void> {
    let gateway = first ?? (await site.start())
    for (let kill = 1; kill <= settings.killsPerGateway; kill += 1) {
      live.set(slot, gateway)
      announce()
      await answersOf(answered.length + random.between(5, 60))
      live.delete(slot)
      await gateway.kill()
      counts.kills += 1
      settings.onKill?.(counts.kills)
      // At the end, one gateway is enough to answer.
      if (kill === settings.killsPerGateway && slot > 0) return
      gateway = await site.start()
    }
    live.set(slot, gateway)
    announce()
  }

  async function answersOf(count: number): Promise<void> {
    while (answered.length < count && faults.length === 0) await changed()
  }

  async function runClient(client: number, agents: readonly string[]): Promise<void> {
    for (let n = 0; !isOver && faults.length === 0; n += 1) {
      const key = `client ${client} request ${n}`
      const isHold = random.next() < 0.4
      const body = {
        agentId: random.pick(agents),
        amount: random.between(1, 3_000_000) / 1e6,
        vendor: 'api.openai.com',
        category: 'llm',
        ...(isHold && { hold: { expiresIn: '1h' } }),
      }
      const { text } = await untilAnswered({ path: '/gateway/evaluate', body, key })
      spends.push({ key, text })
      if (isHold && text.includes('"approved"')) await endHold(JSON.parse(text).transactionId, key)
    }
  }

  async function endHold(id: string, key: string): Promise<void> {
    const action = random.pick(['settle', 'void'])
    await untilAnswered({ path: `/transactions/${id}/${action}`, key: `${key} ${action}` })
  }

  async function untilAnswered(call: Call): Promise<CallAnswer> {
    let answer = await tryOnce(call)
    if (answer?.isReplay) faults.push(`${call.key}: a replay of nothing`)
    while (!answer || isTemporary(answer)) {
      counts.repeats += 1
      if (answer) await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
      answer = await tryOnce(call)
    }
    if (answer.status !== 200)
      faults.push(`${call.key}: ${answer.status} ${answer.text.slice(0, 120)}`)
    if (answer.isReplay) counts.foundDone += 1
    answered.push({ call, text: answer.text })
    announce()
    return answer
  }

  /** The first request may still be in progress, or the database may still hold its locks. */
  function isTemporary({ status, text }: CallAnswer): boolean {
    return status === 503 || (status === 409 && text.includes('idempotency_in_flight'))
  }

  async function tryOnce(call: Call): Promise<CallAnswer | undefined> {
    while (live.size === 0) await changed()
    const gateway = random.pick([...live.values()])
    return caller.post(gateway.url, call).catch(() => undefined)
  }

  async function askAgain(): Promise<void> {
    const queue = [...answered]
    const ask = async (): Promise<void> => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const { text, isReplay } = await untilNotTemporary(next.call)
        if (text !== next.text)
          faults.push(`${next.call.key}: answered otherwise, ${text.slice(0, 120)}`)
        if (!isReplay) faults.push(`${next.call.key}: was carried out twice`)
      }
    }
    await Promise.all(Array.from({ length: settings.clients }, ask))
  }

  async function untilNotTemporary(call: Call): Promise<CallAnswer> {
    const answer = await tryOnce(call)
    return answer && !isTemporary(answer) ? answer : untilNotTemporary(call)
  }

  return {
    killAgainAndAgain,
    runClient,
    askAgain,
    end: () => {
      isOver = true
    },
    stopGateways: async () => {
      await Promise.all([...live.values()].map((gateway) => gateway.stop()))
    },
    result: (): DrillResult => ({ ...counts, answered: answered.length, faults, spends }),
  }
}

/**
 * Compares the database with the answers that the clients received. Returns a line for every
 * mistake.
 */
export async function auditDrill(
  db: Database,
  spends: readonly AnsweredSpend[],
): Promise<string[]> {
  const broken = await audit(db)
  const rows = await db.query<{ key: string; id: string; details: string; decision: string }>({
    text: `select k.key, t.id, t.details::text as details, t.decision
           from transactions t left join idempotency_keys k on k.transaction_id = t.id`,
  })
  const byKey = new Map(rows.map((row) => [row.key, row]))
  if (rows.length !== spends.length) {
    broken.push(`${spends.length} spends were answered, and there are ${rows.length} transactions`)
  }
  for (const { key, text } of spends) {
    const row = byKey.get(key)
    const isTold = row && text.includes(row.details) && text.includes(`"${row.decision}"`)
    if (!isTold || !text.includes(row.id.replaceAll('-', '')))
      broken.push(`lost or changed: ${key}`)
  }
  return broken
}
