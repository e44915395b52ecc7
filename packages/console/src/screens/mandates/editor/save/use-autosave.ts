import type { Mandate, MandateWarning } from '@purser/sdk'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withProof } from '../../../../data/ask-again.ts'
import type { MandateForm, ReadForm } from '../form/mandate-form.ts'
import { forgetForm, keepAttempt, keepForm, keptAttempt } from '../form-storage.ts'
import { type Source, sourceKey, storedDraft } from '../source.ts'
import { createDraftSaver, type SaverState, type Wanted } from './draft-saver.ts'
import { noteSave } from './running-saves.ts'
import { draftBody, sendDraft } from './send-draft.ts'

const WAIT_MS = 1_000

export interface Autosave extends Pick<SaverState, 'error' | 'conflict' | 'warnings' | 'stored'> {
  readonly state: 'saved' | 'waiting' | 'saving' | 'failed'
  readonly setWarnings: (warnings: readonly MandateWarning[]) => void
  /** Saves now. Resolves with the stored draft, or undefined if it could not be saved. */
  readonly save: () => Promise<Mandate | undefined>
  /** Goes on from this state of the draft, or from none after it was deleted. */
  readonly setStored: (mandate: Mandate | undefined, form: ReadForm) => void
  /** Overwrites the change of someone else. */
  readonly keepMine: () => void
}

interface Options {
  readonly source: Source
  readonly form: MandateForm
  readonly read: ReadForm
  /** The form that the gateway has. */
  readonly initial: ReadForm | null
  /** Saves a second after a change. Otherwise only `save` does. */
  readonly isOn: boolean
}

/** Stores the form as a draft a second after a change. Until then this tab keeps it. */
export function useAutosave({ source, form, read, initial, isOn }: Options): Autosave {
  const key = sourceKey(source)
  const [saver] = useState(() =>
    createDraftSaver({
      stored: storedDraft(source),
      savedText: wantedOf(source, form, initial)?.text ?? null,
      attempt: storedDraft(source) ? undefined : keptAttempt(key),
      send: (body, stored, idempotencyKey) =>
        withProof(() => sendDraft(source, body, stored, idempotencyKey), 'Save the draft'),
      onAttempt: (next) => keepAttempt(key, next),
      onSaved: () => forgetForm(key),
    }),
  )
  const save = useCallback(() => noteSave(key, saver.save()), [key, saver])
  const now = useSyncExternalStore(saver.watch, saver.state)
  const wanted = wantedOf(source, form, read)
  useEffect(() => saver.want(wanted))
  const text = wanted?.text ?? null
  const isDirty = text !== now.savedText
  useEffect(() => {
    if (isDirty) keepForm(key, { form, stamp: saver.state().stored?.updatedAt ?? '' })
  }, [isDirty, key, form, saver])
  const isWaiting = isOn && isDirty && text !== null && now.conflict === undefined
  useEffect(() => {
    if (!isWaiting || text === null) return
    const timer = setTimeout(() => void save(), WAIT_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, text, save])
  const leaving = useRef(() => {})
  useEffect(() => {
    leaving.current = () => {
      if (isWaiting) void save()
    }
  })
  // A person who leaves within the second has still saved.
  useEffect(() => () => leaving.current(), [])
  return {
    ...now,
    state: now.isSaving ? 'saving' : now.error ? 'failed' : isDirty ? 'waiting' : 'saved',
    setWarnings: (warnings) => saver.change({ warnings }),
    save,
    setStored: (stored, readBack) => {
      const savedText = wantedOf(source, form, readBack)?.text ?? null
      saver.change({ stored, savedText, error: null, conflict: undefined, warnings: null })
    },
    keepMine: () => {
      const { stored, conflict } = saver.state()
      const updatedAt = String(conflict?.current ?? stored?.updatedAt)
      const next = stored ? { ...stored, updatedAt } : undefined
      saver.change({ stored: next, error: null, conflict: undefined })
      void save()
    },
  }
}

function wantedOf(source: Source, form: MandateForm, read: ReadForm | null): Wanted | null {
  if (!read?.input) return null
  const body = draftBody(source, form, read.input)
  return { body, text: JSON.stringify(body) }
}
