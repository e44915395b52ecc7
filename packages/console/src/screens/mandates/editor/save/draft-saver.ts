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

/** A request that was sent, and whose answer is not here. */
export interface Attempt extends Wanted {
  readonly key: string
  /** The draft that it changes. Undefined for the request that creates it. */
  readonly draftId?: string | undefined
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
  /** The creation by an earlier page in this tab, whose answer was lost with that page. */
  readonly attempt?: Attempt | undefined
  readonly send: Send
  /** Called before each request, and with null when its outcome is known. */
  readonly onAttempt?: (attempt: Attempt | null) => void
  /** Called when the gateway has the newest form. */
  readonly onSaved: () => void
}

/** Stores a form as a draft: one request at a time, the newest state last. */
export function createDraftSaver(parts: SaverParts): DraftSaver {
  const { stored, savedText, attempt = null, send, onAttempt, onSaved } = parts
  let state: SaverState = {
    ...{ stored, savedText, isSaving: false, error: null, conflict: undefined, warnings: null },
  }
  let wanted: Wanted | null = null
  let running: Promise<Mandate | undefined> | null = null
  let lost = attempt
  const listeners = new Set<() => void>()

  function change(part: Partial<SaverState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  function setLost(next: Attempt | null): void {
    lost = next
    onAttempt?.(next)
  }

  async function sendNow(newest: Wanted): Promise<Mandate | undefined> {
    change({ isSaving: true })
    try {
      if (lost && isLostCreation(lost, newest, state.stored)) await repeat(lost)
      return await sendOne(newest)
    } catch (failure) {
      const error = asPurserError(failure)
      change({ isSaving: false, error, conflict: error ? conflictOf(error) : undefined })
      return undefined
    }
  }

  /** The gateway answers with the draft that the lost request stored, or stores it now. */
  async function repeat(creation: Attempt): Promise<void> {
    try {
      await sendOne(creation)
    } catch (failure) {
      // If it was refused, it stored nothing, and the newest form creates the draft.
      if (isOpen(asPurserError(failure))) throw failure
    }
    change({ isSaving: true })
  }

  async function sendOne({ body, text }: Wanted): Promise<Mandate> {
    const draftId = state.stored?.id
    // The same content after a lost answer has the same key, so that it is stored once.
    const isSame = lost?.text === text && lost.draftId === draftId
    const key = lost && isSame ? lost.key : newKey()
    setLost({ body, text, key, draftId })
    try {
      const answer = await send(body, state.stored, key)
      setLost(null)
      done(answer, text)
      return answer
    } catch (failure) {
      if (!isOpen(asPurserError(failure))) setLost(null)
      throw failure
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

/** Whether the request may have stored a draft, of which this page knows nothing. */
function isLostCreation(lost: Attempt, newest: Wanted, stored: Mandate | undefined): boolean {
  if (stored || lost.draftId !== undefined || lost.text === newest.text) return false
  return agentOf(lost.body) === agentOf(newest.body)
}

/** The agent of a new mandate. A draft never gets a different one. */
function agentOf(body: DraftBody): string | undefined {
  return 'agentId' in body ? body.agentId : undefined
}

/** Whether the request may still be carried out, or was. */
function isOpen(error: PurserError | null): boolean {
  return error?.outcomeUnknown === true || error?.code === 'idempotency_in_flight'
}
