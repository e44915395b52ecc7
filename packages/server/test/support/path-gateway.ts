import { afterAll, beforeAll, expect } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Spend } from '../../src/core/spend.ts'
import type { Transaction } from '../../src/core/transaction.ts'
import { createGateway, type Gateway, type TransactionPlace } from '../../src/gateway/gateway.ts'
import type { Submission } from '../../src/gateway/submission.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { newId } from '../../src/storage/new-id.ts'
import { someSpend } from '../core/desk.ts'
import { createTestApp, type Owner, type TestApp } from './app.ts'
import { audit } from './audit.ts'
import { silentLog } from './silent-log.ts'

/** A gateway as a path sees it, on the database of a test app. It uses the app's clock. */
export function createPathGateway(app: TestApp, db: Database = app.database.db): Gateway {
  return createGateway({
    db,
    lanesMax: 1,
    agentUse: { note: () => {}, stop: async () => {} },
    onStored: () => {},
    approvalUrl: () => null,
    clock: app.time,
    log: silentLog,
  })
}

/** The objects that the tests of one block share. */
export interface GatewayScene {
  readonly app: TestApp
  readonly acme: Owner
  readonly gateway: Gateway
}

/**
 * Creates a gateway once for all tests of a block. After the tests, all stored rows must be
 * consistent.
 */
export function shareGateway(begin: (scene: GatewayScene) => unknown): void {
  let scene: GatewayScene
  beforeAll(async () => {
    const app = await createTestApp()
    scene = { app, acme: await app.organization(), gateway: createPathGateway(app) }
    await begin(scene)
  })
  afterAll(async () => {
    await scene.gateway.stop()
    const broken = await audit(scene.app.database.db)
    await scene.app.stop()
    expect(broken).toEqual([])
  })
}

/** A spend as a path submits it: 10 units over x402, settled at once. */
export function aSubmission(
  { organizationId }: { readonly organizationId: string },
  agentId: string,
  spend: Partial<Spend> = {},
  more: Partial<Submission> = {},
): Submission {
  const transactionId = newId(Date.now())
  return {
    spend: someSpend({ transactionId, organizationId, agentId, path: 'x402', ...spend }),
    reason: null,
    metadata: null,
    idempotency: null,
    receivedAt: performance.now(),
    ...more,
  }
}

/**
 * Changes a transaction in its own database transaction; the id is the public one or the
 * database's.
 */
export function inPlace(
  { database }: TestApp,
  { organizationId }: { readonly organizationId: string },
  transactionId: string,
  change: (place: TransactionPlace) => Promise<Transaction | undefined>,
): Promise<Transaction | undefined> {
  const id = toUuid('txn', transactionId) ?? transactionId
  return database.db.transaction((tx) => change({ tx, organizationId, id }))
}
