import type { Mandate, Transaction } from '@purser/sdk'
import { useCallback, useMemo, useState } from 'react'
import { exceptionFor } from './form/exception.ts'
import { changeCount, formOfMandate, type MandateForm, readForm } from './form/mandate-form.ts'
import type { RuleForm } from './form/rule-form.ts'
import { keptForm } from './form-storage.ts'
import { type Autosave, useAutosave } from './save/use-autosave.ts'
import { type Source, sourceKey, stampOf, storedDraft } from './source.ts'

export interface Editor {
  readonly source: Source
  readonly form: MandateForm
  readonly read: ReturnType<typeof readForm>
  readonly set: (change: Partial<MandateForm>) => void
  readonly setForm: (form: MandateForm) => void
  readonly setRule: (rule: RuleForm) => void
  readonly setRules: (rules: readonly RuleForm[]) => void
  /** The active mandate that the form changes. */
  readonly base: Mandate | undefined
  readonly baseForm: MandateForm | undefined
  readonly changes: number
  readonly save: Autosave
  /** Whether fields that are still empty are shown as wrong. */
  readonly isAttempted: boolean
  readonly attempt: () => void
  /** What `?from=` changed, in sentences. */
  readonly exception: readonly string[] | undefined
}

interface Options {
  readonly source: Source
  /** The form of a new mandate. */
  readonly empty?: MandateForm
  /** The active mandate as it is now. */
  readonly base: Mandate | undefined
  /** The rejected spend that the form should let pass. */
  readonly from: Transaction | undefined
  /** Whether the person may save. */
  readonly isAllowed: boolean
}

/** The state of the editor: the form, what it changes, and what is saved. */
export function useEditor({ source, empty, base, from, isAllowed }: Options): Editor {
  const [start] = useState(() => startOf(source, empty, from))
  const [form, setForm] = useState(start.form)
  const [isAttempted, setAttempted] = useState(false)
  const read = useMemo(() => readForm(form), [form])
  const save = useAutosave({
    source: start.source,
    form,
    read,
    initial: start.stored ? readForm(start.stored) : null,
    isOn: isAllowed && source.kind !== 'new',
  })
  const set = useCallback((change: Partial<MandateForm>) => {
    setForm((before) => ({ ...before, ...change }))
  }, [])
  const setRule = useCallback((rule: RuleForm) => {
    setForm((before) => ({
      ...before,
      rules: before.rules.map((one) => (one.id === rule.id ? rule : one)),
    }))
  }, [])
  const setRules = useCallback((rules: readonly RuleForm[]) => {
    setForm((before) => ({ ...before, rules }))
  }, [])
  const baseForm = useMemo(() => (base ? formOfMandate(base) : undefined), [base])
  const changes = base ? changeCount(base, read, form) : 0
  return {
    ...{ source, form, read, set, setForm, setRule, setRules, base, baseForm, changes, save },
    isAttempted,
    attempt: () => setAttempted(true),
    exception: start.exception,
  }
}

/** The form as stored, with the changes of this tab that were not saved, or with the exception. */
function startOf(source: Source, empty: MandateForm | undefined, from: Transaction | undefined) {
  const draft = storedDraft(source)
  const base = source.kind === 'next' ? source.base : undefined
  const has = draft ?? base
  const stored = has ? formOfMandate(has) : undefined
  const plain = stored ?? empty
  if (!plain) throw new Error('A new mandate needs an empty form.')
  const kept = from ? undefined : keptForm(sourceKey(source))
  if (kept) return { source: atStamp(source, kept.stamp), stored, form: kept.form }
  if (!from) return { source, stored, form: plain }
  const { form, changes } = exceptionFor(plain, from)
  return { source, stored, form, exception: changes }
}

/** The kept form was made from this state: a change of the draft since then is a conflict. */
function atStamp(source: Source, stamp: string): Source {
  if (stamp === '' || stamp === stampOf(source) || source.kind === 'new') return source
  return source.draft ? { ...source, draft: { ...source.draft, updatedAt: stamp } } : source
}
