import { describe, expect, it } from 'vitest'
import { currentToasts, removeToast, subscribeToasts, toast } from '../../src/ui/toast-store.ts'

describe('toasts', () => {
  it('stay 4 seconds, with Undo 8, and are three at most', () => {
    let calls = 0
    const stop = subscribeToasts(() => {
      calls += 1
    })
    toast('one')
    toast('two', { undo: () => undefined })
    toast('three', { ms: 50 })
    toast('four')
    expect(currentToasts().map(({ text, ms }) => [text, ms])).toEqual([
      ['two', 8000],
      ['three', 50],
      ['four', 4000],
    ])
    for (const { id } of currentToasts()) removeToast(id)
    expect(currentToasts()).toEqual([])
    expect(calls).toBe(7)
    stop()
  })
})
