import type { Mandate } from '@purser/sdk'
import { useCallback, useMemo, useState } from 'react'
import { changeCount, formOfMandate, type MandateForm, readForm } from './form/mandate-form.ts'
import type { RuleForm } from './form/rule-form.ts'
import { keptForm } from './form-storage.ts'
import { type Autosave, useAutosave } from './save/use-autosave.ts'
import { type Source, sourceKey, stampOf, storedDraft } from './source.ts'
import type { SpendToAllow } from './use-spend-to-allow.ts'

export interface Editor {
  readonly source: Source
  readonly form: MandateForm
  readonly read: ReturnType<typeof readForm>
  readonly set: (change: Partial<MandateForm>) => void
  readonly setForm: (form: MandateForm) => void
  readonly setRule: (rule: RuleForm) => void
  readonly setRules: (rules: readonly RuleForm[]) => void
  /** Puts a removed rule back. Changes of the other rules since then stay. */
  readonly restoreRule: (rule: RuleForm, index: number) => void
  /** The active mandate that the form changes. */
  readonly base: Mandate | undefined
  readonly baseForm: MandateForm | undefined
  readonly changes: number
  readonly save: Autosave
  /** Whether fields that are still empty are shown as wrong. */
  readonly isAttempted: boolean
  readonly attempt: () => void
  /** The changes that `?from=` made, in sentences. */
  readonly exception: readonly string[] | undefined
}

interface Options {
  readonly source: Source
  /** The form of a new mandate. */
  readonly empty?: MandateForm
  /** The active mandate as it is now. */
  readonly base: Mandate | undefined
  /** The rejected spend that the form should let pass. */
  readonly from: SpendToAllow | undefined
  /** Whether the person may save. */
  readonly isAllowed: boolean
}

/** The state of the editor: the form, its changes, and the saved draft. */
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
  const restoreRule = useCallback((rule: RuleForm, index: number) => {
    setForm((before) => {
      if (before.rules.some(({ id }) => id === rule.id)) return before
      return { ...before, rules: before.rules.toSpliced(index, 0, rule) }
    })
  }, [])
  const baseForm = useMemo(() => (base ? formOfMandate(base) : undefined), [base])
  const changes = base ? changeCount(base, read, form) : 0
  return {
    ...{ source, form, read, set, setForm, setRule, setRules, restoreRule },
    ...{ base, baseForm, changes, save },
    isAttempted,
    attempt: () => setAttempted(true),
    exception: start.exception,
  }
}

/** The form as stored, with the changes of this tab that were not saved, or with the exception. */
function startOf(source: Source, empty: MandateForm | undefined, from: SpendToAllow | undefined) {
  const draft = storedDraft(source)
  const base = source.kind === 'next' ? source.base : undefined
  const has = draft ?? base
  const stored = has ? formOfMandate(has) : undefined
  const plain = stored ?? empty
  if (!plain) throw new Error('A new mandate needs an empty form.')
  const kept = from ? undefined : keptForm(sourceKey(source))
  const agentId = plain.agentId || (kept?.form.agentId ?? '')
  // A new mandate for a different agent does not continue with the form of the earlier one.
  const isOther = kept !== undefined && kept.form.agentId !== '' && kept.form.agentId !== agentId
  if (kept && !isOther) {
    return { source: atStamp(source, kept.stamp), stored, form: { ...kept.form, agentId } }
  }
  if (!from) return { source, stored, form: plain }
  const { form, changes } = from.exceptionFor(plain, from.spend)
  return { source, stored, form, exception: changes }
}

/** The kept form was made from this state: a change of the draft since then is a conflict. */
function atStamp(source: Source, stamp: string): Source {
  if (stamp === '' || stamp === stampOf(source) || source.kind === 'new') return source
  return source.draft ? { ...source, draft: { ...source.draft, updatedAt: stamp } } : source
}
