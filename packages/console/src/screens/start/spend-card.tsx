import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { formatMoney } from '../../words/money.ts'
import { DecisionPanel } from './decision-panel.tsx'
import type { ExampleSpend } from './example-spend.ts'
import { Preview } from './preview.tsx'
import { spendSnippets } from './snippets.ts'

interface SpendCardProps {
  readonly title: string
  readonly note?: string
  readonly spend: ExampleSpend
  readonly agentName: string
  readonly currency: string
  readonly apiKey: string | undefined
  /** The decision, once there is one. */
  readonly transactionId: string | undefined
  /** False: the card waits for the one before it. */
  readonly isNext?: boolean
  readonly onSent: () => void
}

/** A call with everything filled in. Its panel turns into the decision. */
export function SpendCard(props: SpendCardProps) {
  const { title, note, spend, currency, apiKey, transactionId, isNext = true } = props
  const isWaiting = transactionId === undefined
  return (
    <Card aria-label={title} className="min-w-0" well={!isNext}>
      <CardHeader title={title} note={note} />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        {isWaiting && isNext ? (
          <>
            <p className="text-ink-2">
              Paste this into a terminal. It asks whether the agent may spend{' '}
              {formatMoney(spend.amount, currency)}. No money moves. It counts in the budget.
            </p>
            <Snippets wrap tabs={spendSnippets(spend, { origin: location.origin, apiKey })} />
          </>
        ) : null}
        {isWaiting ? (
          isNext ? (
            <Waiting {...props} />
          ) : (
            <Preview spend={spend} currency={currency} />
          )
        ) : (
          <DecisionPanel transactionId={transactionId} />
        )}
      </CardBody>
    </Card>
  )
}

/** Listens for the call. People without a terminal send it from here. */
function Waiting({ agentName, spend, onSent }: SpendCardProps) {
  const may = useMay('gateway:write')
  const send = useAction({
    run: (input: ExampleSpend, options) => purser.gateway.evaluate(input, options),
    sentence: `Send a spend of ${agentName}.`,
    onDone: onSent,
  })
  return (
    <>
      <div
        className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-3 border border-dashed border-line-control px-4 py-3.5"
        role="status"
      >
        <LiveDot />
        <p className="min-w-0 flex-1 basis-50">
          <b className="block">
            Listening for a spend of <bdi>{agentName}</bdi>…
          </b>
          <span className="text-small text-ink-2">
            This panel turns into the decision within a second of your call.
          </span>
        </p>
        <Button
          busy={send.isBusy}
          disabledReason={may.reason}
          onClick={() => void send.start(spend)}
          size="sm"
        >
          Send it from here
        </Button>
      </div>
      <ErrorNotice error={send.error} title="The spend was not decided." />
    </>
  )
}
