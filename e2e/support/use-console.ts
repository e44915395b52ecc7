import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Owner } from '../../packages/server/test/support/app.ts'
import type { Person } from '../../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './console-app.ts'

/** The console of a test, and an owner of its organization. */
export interface ConsoleStage {
  readonly app: ConsoleApp
  readonly owner: Owner
  /** A member with the role owner, signed in. */
  readonly ada: Person
}

/**
 * Starts one console for the tests of a file or of a `describe`, and gives each test an
 * organization of its own. The function returns the parts inside of a test.
 */
export function useConsole(change: Parameters<typeof startConsole>[1] = {}): () => ConsoleStage {
  let app: ConsoleApp | undefined
  let stage: ConsoleStage | undefined
  beforeAll(async () => {
    app = await startConsole(undefined, change)
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    if (!app) throw new Error('The console has not started.')
    const owner = await app.organization('Meridian Labs')
    stage = { app, owner, ada: await app.member(owner) }
  })
  return () => {
    if (!stage) throw new Error('The console exists only inside of a test.')
    return stage
  }
}
