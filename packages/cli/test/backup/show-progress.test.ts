import { afterEach, expect, test, vi } from 'vitest'
import { showProgress } from '../../src/backup/show-progress.ts'

const { isTTY: wasTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = wasTTY
  vi.restoreAllMocks()
})

/** What reaches the standard error stream of a terminal, or of a file. */
function shownOn(isTTY: boolean): readonly string[] {
  const shown: string[] = []
  process.stderr.isTTY = isTTY
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0)
  const progress = showProgress('Read')
  progress.on({ table: 'agents', rows: 1 })
  progress.on({ table: 'agents', rows: 2 })
  progress.end()
  return shown
}

test('a terminal shows the progress at most twice a second, and no line remains', () => {
  expect(shownOn(true)).toEqual(['\r\x1b[KRead 1 row (agents)', '\r\x1b[K'])
})

test('a log gets no progress', () => {
  expect(shownOn(false)).toEqual([])
})
