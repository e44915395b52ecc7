import { tmpdir } from 'node:os'
import { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import {
  type EngineWatch,
  installSyncHook,
} from '../../../../src/storage/engine/embedded/durable-files.ts'
import { toDurableParameters } from '../../../../src/storage/engine/embedded/engine.ts'

const WATCH: EngineWatch = { onSync: () => {}, onDeath: () => {} }

describe('the sync hook', () => {
  it.each([
    ['no module', undefined],
    ['no NODEFS', {}],
    ['no stream operations', { NODEFS: { realPath: () => '' } }],
    ['no real path', { NODEFS: { stream_ops: {} } }],
  ])('is refused when there is %s', (_what, module) => {
    expect(() => installSyncHook(module, WATCH)).toThrow('cannot be made durable')
  })

  it('is refused when PGlite has no parameter that turns syncing off', () => {
    expect(() => toDurableParameters(['--single'])).toThrow('cannot be made durable')
    expect(toDurableParameters(PGlite.defaultStartParams)).not.toContain('-F')
  })

  it('syncs folders, which have no descriptor of their own', () => {
    let syncs = 0
    const onSync = (): void => {
      syncs += 1
    }
    const module = { NODEFS: { stream_ops: {}, realPath: () => tmpdir() } }
    installSyncHook(module, { ...WATCH, onSync })
    const fsync: unknown = Reflect.get(module.NODEFS.stream_ops, 'fsync')
    if (typeof fsync !== 'function') throw new Error('The hook was not installed.')
    expect(fsync({ node: {} })).toBe(0)
    expect(syncs).toBe(1)
  })
})
