import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../support/audit.ts'
import { describeOnPostgres } from '../support/database.ts'
import { createRandom } from '../support/random.ts'
import { waitUntil } from '../support/wait-until.ts'
import { createLedger, toMicros } from './clock-ledger.ts'
import { isOver, type Load, runSpender } from './clock-load.ts'
import { addLine, runPerson } from './clock-people.ts'
import { type Body, openTurnedSite, PROCESSES, type TurnedSite } from './turned-site.ts'

interface Clocks {
  readonly operations: number
  readonly spenders: number
  readonly people: number
  /** Spends per transaction at most. */
  readonly batchSizeMax?: number
}

/** What the clocks of processes must not change, in every committed state. */
const TRUTHS: Readonly<Record<string, string>> = {
  'no hold is given back before its time': `
    select id from transactions where status = 'expired' and expires_at > clock_timestamp()`,
  'nothing is archived that lives': `
    select id from mandates
    where archived_at is not null and status = 'active'
      and (valid_until is null or valid_until > clock_timestamp())`,
}

/** Defines the test of processes whose clocks are an hour apart, in both directions, under load. */
export function describeClocks({ operations, spenders, people, batchSizeMax }: Clocks): void {
  const sizes = batchSizeMax === undefined ? '' : `, at most ${batchSizeMax} in a batch`
  describeOnPostgres(`processes whose clocks are an hour apart, under mixed load${sizes}`, () => {
    let site: TurnedSite
    let load: Load
    const seed = Date.now() % 1_000_000

    beforeAll(async () => {
      site = await openTurnedSite(batchSizeMax)
      load = {
        site,
        random: createRandom(seed),
        ledger: createLedger(),
        agents: [],
        faults: [],
        seen: new Map(),
        left: operations,
      }
      const broken: string[] = []
      for (let n = 0; n < 3; n += 1) await addLine(load)
      const ofLoad = Promise.all([
        ...Array.from({ length: people }, (_, n) => runPerson(load, n)),
        ...Array.from({ length: spenders }, (_, n) => runSpender(load, n)),
      ]).finally(() => {
        load.left = 0
      })
      await Promise.all([ofLoad, watch(load, broken)])
      load.faults.push(...new Set(broken))
      console.info(`seed ${seed}: ${JSON.stringify(Object.fromEntries(load.seen))}`)
    })
    afterAll(async () => {
      await site?.stop()
      await site?.close()
    })

    test(`answer as one process would, over ${operations} operations`, () => {
      expect(load.faults, `seed ${seed}`).toEqual([])
    })

    test('met everything that they were to meet', () => {
      const met = [...load.seen.keys()]
      const wanted = ['approved', 'repeat', 'settled', 'settled late', 'voided', 'void refused']
      const others = ['refunded', 'archive refused', 'archived']
      expect(met, `seed ${seed}`).toEqual(expect.arrayContaining([...wanted, ...others]))
      expect(met.join(), `seed ${seed}`).toContain('budget_exceeded')
    })

    test('spend nothing twice', async () => {
      await waitUntil(async () => (await overdueHolds()) === 0)
      const wrong = [...(await audit(site.auditor)), ...(await findUntrue(site))]
      for (const id of load.ledger.mandateIds) wrong.push(...(await compare(id)))
      expect(wrong, `seed ${seed}`).toEqual([])
    })

    async function overdueHolds(): Promise<number> {
      const rows = await site.db.query({
        text: `select 1 from transactions where status = 'held' and expires_at <= clock_timestamp()`,
      })
      return rows.length
    }

    async function compare(id: string): Promise<string[]> {
      const sums = load.ledger.sumsOf(id, Date.now())
      const wrong: string[] = []
      for (const on of PROCESSES) {
        const shown = await site.must(on, { method: 'GET', path: `/mandates/${id}` })
        const [spent, held] = [toMicros(shown.budgetSpent), toMicros(shown.budgetHeld)]
        if (spent !== sums.spent || held !== sums.held) {
          wrong.push(
            `${on} shows ${spent} and ${held} of ${id}, not ${sums.spent} and ${sums.held}`,
          )
        }
        const total = toMicros(shown.budgetTotal)
        if (sums.bound > total) wrong.push(`${id}: ${sums.bound} were spent of ${total}`)
      }
      return wrong
    }

    test('list the same transactions by time', async () => {
      const instants = [...load.ledger.decided.values()].sort((a, b) => a - b)
      const at = (share: number) => instants[Math.floor((instants.length - 1) * share)] ?? 0
      const [from, to] = [at(0.3), at(0.7)]
      const expected = [...load.ledger.decided]
        .filter(([, decidedAt]) => decidedAt >= from && decidedAt < to)
        .map(([id]) => id)
        .sort()
      const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
      const path = `/transactions/export?format=ndjson&${range}`
      const listed = await site.everywhere(async (on) => {
        const { text } = await site.call(on, { method: 'GET', path })
        const rows: Body[] = text.trim() === '' ? [] : text.trim().split('\n').map(toRow)
        return rows.map(({ transactionId }) => transactionId).sort()
      })
      expect(listed, `seed ${seed}`).toEqual(PROCESSES.map(() => expected))
    })

    test('never deadlock', async () => {
      // The server is sure to have counted a deadlock when the session that met it has ended.
      await site.stop()
      const [row] = await site.db.query<{ deadlocks: bigint }>({
        text: 'select deadlocks from pg_stat_database where datname = current_database()',
      })
      expect(Number(row?.deadlocks), `seed ${seed}`).toBe(0)
    })
  })
}

const toRow = (line: string): Body => JSON.parse(line)

/** Checks the books again and again while the load goes on. */
async function watch(load: Load, broken: string[]): Promise<void> {
  while (!isOver(load)) {
    broken.push(...(await audit(load.site.auditor)), ...(await findUntrue(load.site)))
    const until = load.left - 80
    await waitUntil(() => isOver(load) || load.left < until)
  }
}

async function findUntrue({ auditor }: TurnedSite): Promise<string[]> {
  const untrue: string[] = []
  for (const [truth, text] of Object.entries(TRUTHS)) {
    if ((await auditor.query({ text })).length > 0) untrue.push(`It is not true that ${truth}.`)
  }
  return untrue
}
