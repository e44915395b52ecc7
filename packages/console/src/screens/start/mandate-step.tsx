import type { Agent } from '@purser/sdk'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import {
  TEMPLATES,
  type TemplateId,
  templateLine,
  templateOf,
  templateSentences,
} from '../../words/templates.ts'

interface MandateStepProps {
  readonly agent: Agent
  readonly currency: string
}

/** Four mandates to start from, and what the chosen one means. */
export function MandateStep({ agent, currency }: MandateStepProps) {
  const may = useMay('mandates:write')
  const [chosen, setChosen] = useState<TemplateId>('research')
  const template = templateOf(chosen)
  const activate = useAction({
    run: async (id: TemplateId, { idempotencyKey }) => {
      const { name, budgetTotal, budgetPeriod, rules } = templateOf(id) ?? TEMPLATES[0] ?? BLANK
      // A draft that was made but not activated is found again by its key.
      const mandate = await purser.mandates.create(
        { agentId: agent.id, name: `${name} mandate`, budgetTotal, budgetPeriod, rules },
        { idempotencyKey: `${idempotencyKey}-draft` },
      )
      return purser.mandates.activate(mandate.id, {}, { idempotencyKey: `${idempotencyKey}-on` })
    },
    sentence: `Activate a mandate for ${agent.name}.`,
    touches: [['mandates'], ['agents']],
  })
  return (
    <Card aria-label="A mandate">
      <CardHeader title="A mandate" note={`What ${agent.name} may spend`} />
      <CardBody className="grid gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <RadioCards
          hideLabel
          label="Template"
          onChange={setChosen}
          options={TEMPLATES.map((one) => ({
            ...{ value: one.id, title: one.name, children: templateLine(one, currency) },
          }))}
          value={chosen}
        />
        <div className="flex flex-col gap-3">
          <section aria-label="In words" className="rounded-3 bg-well px-3.5 py-3">
            <h3 className="mb-1.5 text-small font-medium text-ink-3">In words</h3>
            <ul className="grid gap-1.5" aria-live="polite">
              {(template ? templateSentences(template, currency) : []).map((sentence) => (
                <li className="flex gap-2" key={sentence}>
                  <Check aria-hidden="true" className="mt-1 flex-none text-ok" size={13} />
                  {sentence}
                </li>
              ))}
            </ul>
          </section>
          <ErrorNotice error={activate.error} title="The mandate is not active." />
          <div>
            <Button
              busy={activate.isBusy}
              disabledReason={may.reason}
              onClick={() => void activate.start(chosen)}
              variant="primary"
            >
              Activate {template?.name ?? ''} mandate
            </Button>
          </div>
          <p className="text-small text-ink-3">Everything can be changed later.</p>
        </div>
      </CardBody>
    </Card>
  )
}

const BLANK = { name: 'Blank', budgetTotal: 100, budgetPeriod: 'monthly', rules: [] } as const
