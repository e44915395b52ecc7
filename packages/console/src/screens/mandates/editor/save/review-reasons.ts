import type { Mandate } from '@purser/sdk'
import { budgetBelowSpent } from '../budget-limits.ts'
import type { Editor } from '../use-editor.ts'

const CHANGED =
  'Someone else changed it while you were editing. Close this, and keep yours or start from theirs.'

/** Why the gateway would refuse the activation. Known before the press. */
export function reasonsAgainst(
  editor: Editor,
  parent: Mandate | undefined,
  expectedVersion: number | undefined,
  now: number,
): string[] {
  const { form, save, base } = editor
  const isMoved = base !== undefined && base.version !== expectedVersion
  const low = budgetBelowSpent(editor)
  const ended = form.validUntil !== null && Date.parse(form.validUntil) <= now
  const isOrphan = parent !== undefined && parent.status !== 'active'
  return [
    ...(isMoved || save.conflict ? [CHANGED] : []),
    ...(low ? [`The budget is too low: ${low}`] : []),
    ...(ended ? ['The mandate would already be expired: “Expires” is in the past.'] : []),
    ...(isOrphan ? [`Its parent mandate “${parent.name}” is not active.`] : []),
    ...(save.error && !save.conflict ? ['The last changes are not saved.'] : []),
  ]
}
