import type { Database, Statement } from '../../src/storage/engine/database.ts'
import { WITHOUT_NODE } from '../paths/x402/payments.ts'
import { createTestAppOn, type TestApp } from '../support/app.ts'
import { createTestDatabase, type Engine } from '../support/database.ts'
import { NO_SMTP } from '../support/messages.ts'
import { watchDatabase } from '../support/watched-database.ts'
import { type Bench, startBench } from '../support/x402/bench.ts'
import { configOf } from '../support/x402/shop.ts'

/** What the flows have in common: an app with everything that it can be connected to. */
export interface FlowStage {
  readonly app: TestApp
  /** What the app sends its statements to. */
  readonly db: Database
  /** Undefined where no chain runs on this machine. */
  readonly bench: Bench | undefined
  stop(): Promise<void>
}

/** Defines the tests of one flow; the stage is there once they run. */
export type Flow = (stage: () => FlowStage) => void

/** `sent` takes the text of every statement, and `onStatement` the statement itself. */
export async function openFlowStage(
  engine: Engine,
  hasChain: boolean,
  sent: Set<string>,
  onStatement?: (statement: Statement) => void,
): Promise<FlowStage> {
  const bench = hasChain ? await startBench() : undefined
  const database = await createTestDatabase(engine)
  const db = watchDatabase(database.db, (text, statement) => {
    sent.add(text)
    onStatement?.(statement)
  })
  const config = bench ? configOf(bench, {}) : WITHOUT_NODE
  const app = await createTestAppOn(database, db, { ...config, smtp: NO_SMTP })
  return {
    app,
    db,
    bench,
    async stop() {
      await app.stop()
      await bench?.stop()
    },
  }
}
