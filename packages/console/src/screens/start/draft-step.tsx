import type { Mandate } from '@purser/sdk'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { formatMoney } from '../../words/money.ts'

/** A draft exists already, made here before or elsewhere: it only has to be activated. */
export function DraftStep({ draft }: { readonly draft: Mandate }) {
  const may = useMay('mandates:write')
  const touches = [['mandates'], ['agents']]
  const activate = useAction({
    run: (_: undefined, options) => purser.mandates.activate(draft.id, {}, options),
    sentence: `Activate ${draft.name}.`,
    touches,
  })
  const remove = useAction({
    run: (_: undefined, options) => purser.mandates.delete(draft.id, options),
    sentence: `Delete the draft ${draft.name}.`,
    touches,
  })
  return (
    <Card aria-label="A mandate">
      <CardHeader title="A mandate" note="A draft is there. It takes effect when it is active." />
      <CardBody className="grid gap-3">
        <p>
          <Link to="/mandates/$id" params={{ id: draft.id }}>
            <bdi>{draft.name}</bdi>
          </Link>
          : {formatMoney(draft.budgetTotal, draft.currency)}
        </p>
        <ErrorNotice error={activate.error} title="The mandate is not active." />
        <ErrorNotice error={remove.error} title="The draft was not deleted." />
        <div className="flex flex-wrap gap-2">
          <Button
            busy={activate.isBusy}
            disabledReason={may.reason}
            onClick={() => void activate.start(undefined)}
            variant="primary"
          >
            Activate {draft.name}
          </Button>
          <Button
            busy={remove.isBusy}
            disabledReason={may.reason}
            onClick={() => void remove.start(undefined)}
          >
            Delete the draft and choose a template
          </Button>
          <CopyCurl request={{ method: 'POST', path: `/mandates/${draft.id}/activate` }} />
        </div>
      </CardBody>
    </Card>
  )
}
