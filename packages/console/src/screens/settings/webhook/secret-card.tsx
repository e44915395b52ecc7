import type { Organization } from '@purser/sdk'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { useNow, useTimezone } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { formatDay } from '../../../words/time.ts'
import { OldSecret } from './old-secret.tsx'

const RotateSecret = lazy(() =>
  import('./rotate-secret.tsx').then((all) => ({ default: all.RotateSecret })),
)
const Calculator = lazy(() =>
  import('./calculator.tsx').then((all) => ({ default: all.CalculatorDialog })),
)

/** The beginning of the secret, since when it is used, and until when the old one is. */
export function SecretCard({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const now = useNow()
  const timezone = useTimezone()
  const [open, setOpen] = useState<'rotate' | 'check' | null>(null)
  const { webhookSecretHint, webhookSecretRotatedAt, webhookPreviousSecretValidUntil } =
    organization
  const since = formatDay(new Date(webhookSecretRotatedAt), timezone, new Date(now))
  return (
    <Card aria-label="Signing secret">
      <CardHeader
        action={
          <Button disabledReason={may.reason} onClick={() => setOpen('rotate')} size="sm">
            Rotate
          </Button>
        }
        title="Signing secret"
      />
      <CardBody>
        <p className="font-mono">
          {webhookSecretHint}
          <span aria-hidden="true">••••••••••••</span>
        </p>
        <p className="mt-1.5 text-small text-ink-2">
          Since {since}. Shown once, when it was made.{' '}
          <button
            className="font-medium text-accent underline underline-offset-2"
            onClick={() => setOpen('check')}
            type="button"
          >
            Check a signature
          </button>
        </p>
        <OldSecret until={webhookPreviousSecretValidUntil} />
      </CardBody>
      <Suspense>
        {open === 'rotate' ? <RotateSecret onClose={() => setOpen(null)} /> : null}
        {open === 'check' ? <Calculator onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </Card>
  )
}
