import { useQueryClient } from '@tanstack/react-query'
import { purser } from '../../../../data/client.ts'
import { useNavigate } from '../../../../router/use-router.ts'
import { toast } from '../../../../ui/toast.tsx'
import { formOfMandate, readForm } from '../form/mandate-form.ts'
import { forgetForm } from '../form-storage.ts'
import { sourceKey } from '../source.ts'
import type { Editor } from '../use-editor.ts'

interface Discarding {
  /** Undefined if there is nothing to discard. */
  readonly discard: (() => void) | undefined
  readonly deleteDraft: () => void
}

/** Throws the changes away. For eight seconds they can be brought back. */
export function useDiscard(editor: Editor): Discarding {
  const { source, base, form, setForm, save, changes } = editor
  const client = useQueryClient()
  const navigate = useNavigate()
  async function remove(id: string): Promise<boolean> {
    try {
      await purser.mandates.delete(id)
    } catch {
      toast('The draft could not be deleted. Try again.')
      return false
    }
    void client.invalidateQueries({ queryKey: ['mandates'] })
    return true
  }
  async function discardNext() {
    const { stored } = save
    if (!base || (stored && !(await remove(stored.id)))) return
    const plain = formOfMandate(base)
    setForm(plain)
    save.setStored(undefined, readForm(plain))
    forgetForm(sourceKey(source))
    // Undo brings the form back, and the next autosave stores it as a draft again.
    toast('Changes discarded', { undo: () => setForm(form) })
  }
  async function deleteDraft() {
    if (source.kind !== 'draft' || !(await remove(source.draft.id))) return
    forgetForm(sourceKey(source))
    const { agentId, name, rules, warningPercents, discloseLimits } = source.draft
    const { currency, timezone, budgetTotal, budgetPeriod, validFrom, validUntil } = source.draft
    const terms = { currency, timezone, budgetTotal, budgetPeriod, validFrom, validUntil }
    toast(`Draft “${name}” deleted`, {
      undo: () => {
        void purser.mandates
          .create({ agentId, name, rules, ...terms, warningPercents, discloseLimits })
          .then(({ id }) => navigate({ to: '/mandates/$id/edit', params: { id } }))
          .catch(() => toast('The draft could not be restored.'))
      },
    })
    await navigate({ to: '/mandates' })
  }
  async function leaveNew() {
    forgetForm(sourceKey(source))
    await navigate({ to: '/mandates' })
  }
  const canDiscard = source.kind === 'next' && (changes > 0 || save.stored !== undefined)
  return {
    discard:
      source.kind === 'new'
        ? () => void leaveNew()
        : canDiscard
          ? () => void discardNext()
          : undefined,
    deleteDraft: () => void deleteDraft(),
  }
}
