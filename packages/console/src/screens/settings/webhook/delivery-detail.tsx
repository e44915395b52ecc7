import type { WebhookAttempt, WebhookDeliveryDetail } from '@purser/sdk'
import { lazy, Suspense, useState } from 'react'
import { useNow } from '../../../parts/when.tsx'
import { Code } from '../../../ui/code.tsx'
import { DrawerSection } from '../../../ui/drawer-section.tsx'
import { Select } from '../../../ui/select.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { TONE_CLASS } from '../../../ui/tone.ts'
import { Attempts } from './attempts.tsx'
import { DELIVERY_ICONS } from './delivery-badge.tsx'
import { deliverySentence, ordinal, wordOf } from './delivery-words.ts'
import { EndpointName } from './endpoint-filter.tsx'
import { answerText, bodyText, requestText } from './exchange-text.ts'

const Calculator = lazy(() =>
  import('./calculator.tsx').then((all) => ({ default: all.Calculator })),
)

const TABS = [
  { value: 'request', label: 'Request' },
  { value: 'answer', label: 'Answer' },
  { value: 'signature', label: 'Check the signature' },
] as const

export function DeliveryDetail({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const now = useNow()
  const { strong, rest } = deliverySentence(delivery, now)
  const { id, tone } = wordOf(delivery)
  const Icon = DELIVERY_ICONS[id]
  return (
    <>
      <DrawerSection>
        <div className={`${TONE_CLASS[tone]} flex gap-3`}>
          <span className="grid size-7.5 flex-none place-items-center rounded-2 border border-tone-line bg-tone-soft text-tone">
            <Icon aria-hidden="true" size={16} strokeWidth={2} />
          </span>
          <p className="min-w-0 flex-1 pt-0.75 text-read text-pretty">
            <b>{strong}</b> {rest}
          </p>
        </div>
        <p className="mt-2 pl-10.5 text-small text-ink-3">
          <code>{delivery.event}</code>
          {delivery.test ? ' · a test event with made-up data' : ''}
          <EndpointName id={delivery.endpointId} />
        </p>
      </DrawerSection>
      <DrawerSection title="Attempts">
        <Attempts delivery={delivery} />
      </DrawerSection>
      <Exchange attempts={delivery.attemptLog} />
    </>
  )
}

/** The request and the answer of one attempt, by default the last. */
function Exchange({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const [tab, setTab] = useState<(typeof TABS)[number]['value']>('request')
  const [chosen, setChosen] = useState<string | null>(null)
  const last = attempts.at(-1)
  const attempt = attempts.find(({ number }) => String(number) === chosen) ?? last
  if (!attempt) return null
  const { request } = attempt
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return (
    <DrawerSection>
      {attempts.length > 1 ? (
        <div className="mb-2">
          <Select
            aria-label="Attempt"
            look="button"
            onChange={setChosen}
            options={attempts.map(({ number }) => ({
              value: String(number),
              label: number <= 8 ? `${ordinal(number)} attempt` : ordinal(number),
            }))}
            size="sm"
            value={String(attempt.number)}
          />
        </div>
      ) : null}
      <Tabs items={TABS} label="What was sent" onChange={setTab} value={tab}>
        <div className="pt-3">
          {tab === 'request' ? (
            <Code copyText={requestText(request)} label="Request" lang="http" wrap>
              {requestText(request, 64)}
            </Code>
          ) : null}
          {tab === 'answer' ? <Answer attempt={attempt} /> : null}
          <Suspense>
            {tab === 'signature' ? (
              <Calculator
                body={request.body}
                id={headers['webhook-id'] ?? ''}
                key={attempt.number}
                sent={headers}
                timestamp={headers['webhook-timestamp'] ?? ''}
              />
            ) : null}
          </Suspense>
        </div>
      </Tabs>
      {tab === 'request' ? (
        <div className="mt-3">
          <Code copyText={request.body} label="Body" lang="json" wrap>
            {bodyText(request.body)}
          </Code>
        </div>
      ) : null}
    </DrawerSection>
  )
}

const CUTS = {
  size: 'The log keeps the first 16 KiB of it.',
  timeout: 'The rest did not arrive in time.',
  reset: 'The connection broke before the end.',
} as const

function Answer({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { response, error } = attempt
  if (response === null) {
    return <p className="text-ink-2">{error?.message ?? 'There is no answer yet.'}</p>
  }
  return (
    <>
      <Code label="Answer" lang="http" wrap>
        {answerText(response)}
      </Code>
      {response.cut === null ? null : (
        <p className="mt-2 text-small text-ink-3">{CUTS[response.cut]}</p>
      )}
    </>
  )
}
