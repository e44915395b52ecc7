import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearch } from '../../router/use-router.ts'
import { fieldsOf, type SimulatorSearch, type SpendFields, searchOf } from './spend.ts'

/** A spend is judged this long after the last key. */
const PAUSE_MS = 400

export interface SpendState {
  /** The values of the fields. */
  readonly fields: SpendFields
  /** The judged values: the fields of the address, which follow when the typing pauses. */
  readonly judged: SpendFields
  /** The stored decision to judge again, instead of the fields. */
  readonly txn: string | undefined
  readonly change: (change: Partial<SpendFields>, isTyping?: boolean) => void
  /** Puts the fields into the address at once. */
  readonly flush: () => void
}

/** The address holds the spend. Typing replaces it after a pause, a choice adds to the history. */
export function useSpend(): SpendState {
  const search = useSearch<SimulatorSearch>()
  const navigate = useNavigate()
  const [fields, setFields] = useState(() => fieldsOf(search))
  const latest = useRef(fields)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = JSON.stringify(searchOf(fieldsOf(search)))
  const written = useRef(text)

  // An address that this screen did not write comes from a link or from the Back button.
  useEffect(() => {
    if (written.current === text) return
    written.current = text
    clearTimeout(timer.current)
    latest.current = fieldsOf(JSON.parse(text))
    setFields(latest.current)
  }, [text])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = useCallback(
    (replace: boolean) => {
      clearTimeout(timer.current)
      const next = searchOf(latest.current)
      if (JSON.stringify(next) === written.current) return
      written.current = JSON.stringify(next)
      void navigate({ to: '/simulator', search: next, replace })
    },
    [navigate],
  )
  const change = useCallback(
    (part: Partial<SpendFields>, isTyping = false) => {
      latest.current = { ...latest.current, ...part }
      setFields(latest.current)
      clearTimeout(timer.current)
      if (isTyping) timer.current = setTimeout(() => write(true), PAUSE_MS)
      else write(false)
    },
    [write],
  )
  const flush = useCallback(() => write(true), [write])
  return { fields, judged: fieldsOf(search), txn: search.txn, change, flush }
}
