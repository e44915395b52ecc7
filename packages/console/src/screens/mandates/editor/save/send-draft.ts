import type { Mandate } from '@purser/sdk'
import { purser } from '../../../../data/client.ts'
import { type MandateForm, nextInput, type ReadForm } from '../form/mandate-form.ts'
import type { Source } from '../source.ts'

type Input = NonNullable<ReadForm['input']>

/** The body that stores the form: of a creation, or of a change of the stored draft. */
export function draftBody(source: Source, form: MandateForm, input: Input) {
  const next = nextInput(input)
  if (source.kind === 'next') return next
  const { currency, timezone, budgetPeriod, validFrom } = input
  const whole = { ...next, currency, timezone, budgetPeriod, validFrom }
  return source.kind === 'new' ? { agentId: form.agentId, ...whole } : whole
}

export type DraftBody = ReturnType<typeof draftBody>

/** Stores the form. `stored` is the draft as the gateway last showed it. */
export function sendDraft(
  source: Source,
  body: DraftBody,
  stored: Mandate | undefined,
  idempotencyKey: string,
): Promise<Mandate> {
  if (stored) {
    const { agentId, ...changes } = { agentId: undefined, ...body }
    const expectedUpdatedAt = stored.updatedAt
    return purser.mandates.update(stored.id, { ...changes, expectedUpdatedAt }, { idempotencyKey })
  }
  const draftOf = source.kind === 'next' ? { draftOf: source.base.id } : {}
  return purser.mandates.create({ ...body, ...draftOf }, { idempotencyKey })
}
