import { describe, expect, test } from 'vitest'
import { type Lifecycle, withLifecycle } from '../src/base/lifecycle.ts'

/** Parts that record their starts and stops. */
function someParts() {
  const told: string[] = []
  const begin = (name: string) => {
    told.push(`${name} begins`)
    return {
      async stop() {
        await new Promise((resolve) => setImmediate(resolve))
        told.push(`${name} stopped`)
      },
    }
  }
  const failing = (name: string) => ({
    async stop() {
      told.push(`${name} fails`)
      throw new Error(name)
    },
  })
  return { told, begin, failing }
}

const started = (add: (lifecycle: Lifecycle) => void) =>
  withLifecycle(async (lifecycle) => {
    add(lifecycle)
    return lifecycle
  })

describe('parts', () => {
  test('are stopped one by one, in the reverse order of their starts', async () => {
    const { told, begin } = someParts()
    const lifecycle = await started(({ add, onStop }) => {
      add(begin('storage'))
      onStop(begin('connections').stop)
      add(begin('gateway'))
    })
    await lifecycle.stop()
    expect(told).toEqual([
      'storage begins',
      'connections begins',
      'gateway begins',
      'gateway stopped',
      'connections stopped',
      'storage stopped',
    ])
  })

  test('are stopped if a later part fails to start, and the error of that part is thrown', async () => {
    const { told, begin } = someParts()
    const start = withLifecycle(async ({ add }) => {
      add(begin('storage'))
      add(begin('gateway'))
      await Promise.reject(new Error('The port is taken.'))
      add(begin('housekeeping'))
    })
    await expect(start).rejects.toThrow('The port is taken.')
    expect(told).toEqual(['storage begins', 'gateway begins', 'gateway stopped', 'storage stopped'])
  })

  test('that fail to stop do not hide the first error', async () => {
    const { told, begin, failing } = someParts()
    const start = withLifecycle(async ({ add }) => {
      add(begin('storage'))
      add(failing('gateway'))
      throw new Error('The port is taken.')
    })
    await expect(start).rejects.toThrow('The port is taken.')
    expect(told).toEqual(['storage begins', 'gateway fails', 'storage stopped'])
  })

  test('are all stopped even if some fail to stop, and the first failure is thrown', async () => {
    const { told, begin, failing } = someParts()
    const lifecycle = await started(({ add }) => {
      add(begin('storage'))
      add(failing('outbound'))
      add(failing('gateway'))
    })
    await expect(lifecycle.stop()).rejects.toThrow('gateway')
    expect(told).toEqual(['storage begins', 'gateway fails', 'outbound fails', 'storage stopped'])
  })

  test('are stopped only once', async () => {
    const { told, begin } = someParts()
    const lifecycle = await started(({ add }) => add(begin('storage')))
    await Promise.all([lifecycle.stop(), lifecycle.stop()])
    await lifecycle.stop()
    expect(told).toEqual(['storage begins', 'storage stopped'])
  })

  test('are returned as they were added', async () => {
    const { begin } = someParts()
    const part = { ...begin('storage'), url: 'http://127.0.0.1:3000' }
    const { url } = await withLifecycle(async ({ add }) => add(part))
    expect(url).toBe(part.url)
  })
})
