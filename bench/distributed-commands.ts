import pg from 'pg'

/** What a decision sends to its databases, as their logs say. */
export interface CountedCommands {
  /** Statements of the gateway, with begin and commit. */
  readonly statements: number
  /** Commands of the coordinator to the worker, with begin and commit; 0 without workers. */
  readonly workerCommands: number
  /** Decisions that were counted, and those that prepared a transaction on a worker. */
  readonly decisions: number
  readonly prepared: number
}

/** Reads the log of a server: the statements of each session, in their order. */
export interface StatementLog {
  onLine(line: string): void
  /** The transactions since the last call that stored a decision, each with its statements. */
  takeDecisions(): string[][]
}

/** Each line begins with the process of its session. */
export const LOG_SETTINGS = ['log_line_prefix=%p ']

const STATEMENT = /^(\d+) LOG: {2}(?:statement|execute [^:]*): (.*)$/
const STORES_DECISION = /insert into (public\.)?"?transactions/i

export function createStatementLog(): StatementLog {
  const sessions = new Map<string, string[]>()
  let last: string[] | undefined
  return {
    onLine(line) {
      const [, session = '', text = ''] = STATEMENT.exec(line) ?? []
      if (session !== '') {
        last = sessions.get(session) ?? []
        sessions.set(session, last)
        last.push(text)
      } else if (line.startsWith('\t')) {
        // The rest of a statement of several lines.
        last?.push(`${last.pop()} ${line.trim()}`)
      } else last = undefined
    },
    takeDecisions() {
      const transactions = [...sessions.values()].flatMap(toTransactions)
      sessions.clear()
      return transactions.filter((texts) => texts.some((text) => STORES_DECISION.test(text)))
    },
  }
}

function toTransactions(texts: readonly string[]): string[][] {
  const transactions: string[][] = []
  for (const text of texts) {
    if (/^begin/i.test(text)) transactions.push([])
    transactions.at(-1)?.push(text)
  }
  return transactions
}

/** A server, and the log that reads it. */
export interface LoggedServer {
  readonly url: string
  readonly log: StatementLog
}

/** Lets the servers log all statements during the load, which must be one decision after another. */
export async function countCommands(
  [first, ...workers]: readonly LoggedServer[],
  load: () => Promise<unknown>,
): Promise<CountedCommands> {
  if (first === undefined) throw new Error('There is no server.')
  const servers = [first, ...workers]
  for (const { url } of servers) await setLogging(url, 'all')
  for (const { log } of servers) log.takeDecisions()
  await load()
  for (const { url } of servers) await setLogging(url, 'none')
  const ofGateway = first.log.takeDecisions()
  const ofWorkers = workers.flatMap(({ log }) => log.takeDecisions())
  return {
    statements: meanLength(ofGateway),
    workerCommands: meanLength(ofWorkers),
    decisions: ofGateway.length,
    prepared: ofWorkers.filter((texts) => texts.some((text) => /^prepare/i.test(text))).length,
  }
}

async function setLogging(url: string, statements: 'all' | 'none'): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter system set log_statement = '${statements}'`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

function meanLength(transactions: readonly (readonly string[])[]): number {
  const sum = transactions.reduce((all, { length }) => all + length, 0)
  return transactions.length === 0 ? 0 : Math.round((10 * sum) / transactions.length) / 10
}
