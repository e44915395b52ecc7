import { useEffect, useRef, useState } from 'react'
import { loadStreaming } from '../../data/load-streaming.ts'
import { asPurserError } from '../../data/use-action.ts'
import { saveFile } from './save-file.ts'

export const NDJSON = 'application/x-ndjson'
/** The page shows the progress at most this often. */
const TOLD_EACH = 500

/** Reads all leaves and saves them as a file. Stops when its page is left. */
export function useExport() {
  const [lines, setLines] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  async function run() {
    if (isRunning) return
    const controller = new AbortController()
    const { signal } = controller
    abort.current = controller
    setRunning(true)
    setFailure(null)
    setLines(0)
    try {
      const parts = await readLines(signal, setLines)
      if (!signal.aborted) saveFile('export.ndjson', parts, NDJSON)
    } catch (error) {
      if (!signal.aborted) setFailure(error)
    } finally {
      setRunning(false)
    }
  }
  const stop = () => abort.current?.abort()
  return { run, stop, lines, isRunning, error: asPurserError(failure) }
}

async function readLines(signal: AbortSignal, tell: (lines: number) => void): Promise<string[]> {
  const streaming = await loadStreaming(signal)
  const parts: string[] = []
  for await (const line of streaming.auditLog.export({}, { signal })) {
    parts.push(`${line}\n`)
    if (parts.length % TOLD_EACH === 0) tell(parts.length)
  }
  return parts
}
