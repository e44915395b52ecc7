import type { Agent } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { curlOf } from '../../parts/curl.ts'
import { MandateWords } from '../../parts/words/mandate-words.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import {
  type MandateTemplate,
  TEMPLATES,
  type TemplateId,
  templateLine,
  templateOf,
  templateTerms,
} from '../../words/templates.ts'

interface MandateStepProps {
  readonly agent: Agent
  readonly currency: string
}

/** Four mandates to start from, and the meaning of the chosen one. */
export function MandateStep({ agent, currency }: MandateStepProps) {
  const may = useMay('mandates:write')
  const client = useQueryClient()
  const [chosen, setChosen] = useState<TemplateId>('research')
  const template = templateOf(chosen)
  const body = template && inputOf(template, agent)
  const activate = useAction({
    run: async (input: ReturnType<typeof inputOf>, { idempotencyKey }) => {
      // Each of the two requests has a key of its own, so that a repetition makes no second draft.
      const mandate = await purser.mandates.create(input, {
        idempotencyKey: `${idempotencyKey}-draft`,
      })
      const options = { idempotencyKey: `${idempotencyKey}-on` }
      try {
        return await purser.mandates.activate(mandate.id, {}, options)
      } catch (error) {
        // The draft exists now: the page offers to activate that one, instead of making a second.
        void client.invalidateQueries({ queryKey: ['mandates'] })
        throw error
      }
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
            <div aria-live="polite">
              {template ? <MandateWords terms={templateTerms(template, currency)} /> : null}
              {template?.rules.length === 0 ? (
                <p className="mt-1 text-ink-2">Every spend within the budget is approved.</p>
              ) : null}
            </div>
          </section>
          <ErrorNotice error={activate.error} title="The mandate is not active." />
          <div className="flex flex-wrap gap-2">
            <Button
              busy={activate.isBusy}
              disabledReason={may.reason}
              onClick={() => {
                if (body) void activate.start(body)
              }}
              variant="primary"
            >
              Activate {template?.name ?? ''} mandate
            </Button>
            <CopyButton label="Copy as curl" text={() => (body ? activationCurl(body) : '')} />
          </div>
          <p className="text-small text-ink-3">Everything can be changed later.</p>
        </div>
      </CardBody>
    </Card>
  )
}

function inputOf(template: MandateTemplate, agent: Agent) {
  const { name, budgetTotal, budgetPeriod, rules } = template
  return { agentId: agent.id, name: `${name} mandate`, budgetTotal, budgetPeriod, rules }
}

/** Both requests for a shell. The second one gets the id from the answer to the first. */
function activationCurl(body: ReturnType<typeof inputOf>): string {
  const create = curlOf({ method: 'POST', path: '/mandates', body }).replace('curl ', 'curl -s ')
  const activate = curlOf({ method: 'POST', path: '/mandates/ID/activate' })
  return `mandate=$(${create} |\n  grep -o 'mnd_[0-9a-f]*' | head -n 1)\n${activate.replace('ID', `'"$mandate"'`)}`
}
