import type { Simulation } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../../data/queries.ts'
import { asPurserError } from '../../../../data/use-action.ts'
import { errorSentence } from '../../../../words/errors.ts'
import { useDebounced } from '../use-debounced.ts'
import type { Editor } from '../use-editor.ts'
import { activeTest, draftTest, type TestSpend } from './test-input.ts'
import { unreadSentence } from './test-sentences.ts'

const WAIT_MS = 400

export interface Tested {
  readonly draft: Simulation | undefined
  readonly active: Simulation | undefined
  readonly isBusy: boolean
  readonly error: string | undefined
  /** Why nothing can be tested. */
  readonly unread: string | undefined
}

/** Asks for the verdict of the form, and for that of the active version. */
export function useTester(editor: Editor, test: TestSpend): Tested {
  const { source, form, read } = editor
  const settled = useDebounced(
    JSON.stringify([
      draftTest(test, { source, form, input: read.input }),
      activeTest(test, source, form.timezone),
    ]),
    WAIT_MS,
  )
  const [draftInput, activeInput] = JSON.parse(settled) as [
    ReturnType<typeof draftTest>,
    ReturnType<typeof activeTest>,
  ]
  const draft = useQuery(queries.simulation(draftInput))
  const active = useQuery(queries.simulation(activeInput))
  const error = asPurserError(draft.error)
  return {
    draft: draftInput ? draft.data : undefined,
    active: activeInput ? active.data : undefined,
    // The answer to the same spend is not dimmed while it is asked for again.
    isBusy: draft.isPlaceholderData,
    error: error ? errorSentence(error) : undefined,
    unread: draftInput ? undefined : unreadSentence(test, editor),
  }
}
