import type { Mandate, MandateWarning, PurserError } from '@purser/sdk'
import { newKey } from '../../../../data/new-key.ts'
import { asPurserError } from '../../../../data/use-action.ts'
import { type Conflict, conflictOf } from './conflict.ts'
import type { DraftBody } from './send-draft.ts'

/** A body to store. Its text tells whether the gateway has it already. */
export interface Wanted {
  readonly body: DraftBody
  readonly text: string
}

export interface SaverState {
  /** The draft as the gateway last showed it. */
  readonly stored: Mandate | undefined
  /** The text of the form that the gateway has. */
  readonly savedText: string | null
  readonly isSaving: boolean
  readonly error: PurserError | null
  readonly conflict: Conflict | undefined
  /** The warnings of the gateway about the saved rules. Null until it has told them. */
  readonly warnings: readonly MandateWarning[] | null
}

type Send = (
  body: DraftBody,
  stored: Mandate | undefined,
  idempotencyKey: string,
) => Promise<Mandate>

export interface DraftSaver {
  readonly state: () => SaverState
  readonly watch: (listener: () => void) => () => void
  /** Names the newest form. Null while it cannot be read. */
  readonly want: (wanted: Wanted | null) => void
  /** Saves now. Resolves with the stored draft, or undefined if it could not be saved. */
  readonly save: () => Promise<Mandate | undefined>
  readonly change: (change: Partial<SaverState>) => void
}

interface SaverParts {
  readonly stored: Mandate | undefined
  readonly savedText: string | null
  readonly send: Send
  /** Called when the gateway has the newest form. */
  readonly onSaved: () => void
}

/** Stores a form as a draft: one request at a time, the newest state last. */
export function createDraftSaver({ stored, savedText, send, onSaved }: SaverParts): DraftSaver {
  let state: SaverState = {
    ...{ stored, savedText, isSaving: false, error: null, conflict: undefined, warnings: null },
  }
  let wanted: Wanted | null = null
  let running: Promise<Mandate | undefined> | null = null
  let lost: { readonly text: string; readonly key: string } | null = null
  const listeners = new Set<() => void>()

  function change(part: Partial<SaverState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  async function sendNow({ body, text }: Wanted): Promise<Mandate | undefined> {
    // The same content after a lost answer has the same key, so that it is stored once.
    const key = lost?.text === text ? lost.key : newKey()
    change({ isSaving: true })
    try {
      const answer = await send(body, state.stored, key)
      lost = null
      done(answer, text)
      return answer
    } catch (failure) {
      const error = asPurserError(failure)
      lost = error?.outcomeUnknown ? { text, key } : null
      change({ isSaving: false, error, conflict: error ? conflictOf(error) : undefined })
      return undefined
    }
  }

  function done(answer: Mandate, text: string): void {
    const warnings = answer.warnings ?? []
    const good = { isSaving: false, error: null, conflict: undefined }
    change({ ...good, stored: answer, savedText: text, warnings })
    if (wanted?.text === text) onSaved()
  }

  async function save(): Promise<Mandate | undefined> {
    while (running !== null) await running
    if (!wanted) return undefined
    if (wanted.text === state.savedText && state.stored) return state.stored
    running = sendNow(wanted).finally(() => {
      running = null
    })
    return running
  }

  return {
    state: () => state,
    watch: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    want: (next) => {
      wanted = next
    },
    save,
    change,
  }
}
