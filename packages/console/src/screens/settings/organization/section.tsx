import type { OrganizationChange, PurserError } from '@purser/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

interface SectionProps {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function Section({ title, note, children, action }: SectionProps) {
  return (
    <Card aria-label={title}>
      <CardHeader action={action} note={note} title={title} />
      <CardBody className="grid gap-4">{children}</CardBody>
    </Card>
  )
}

interface SaveBarProps {
  /** The fields that differ from the saved ones. */
  readonly change: OrganizationChange
  readonly label: string
  readonly isBusy: boolean
  readonly error: PurserError | null
  readonly disabledReason: string | undefined
  readonly onReset: () => void
}

/** The buttons of a form. They appear when something has changed. */
export function SaveBar(props: SaveBarProps) {
  const { change, label, isBusy, error, disabledReason, onReset } = props
  const client = useQueryClient()
  if (Object.keys(change).length === 0) return null
  const hasOwnPlace = error !== null && error.errors.length > 0
  const isOutdated = error?.code === 'changed_meanwhile'
  return (
    <>
      <ErrorNotice
        error={hasOwnPlace ? null : error}
        {...(isOutdated
          ? { onRetry: () => void client.invalidateQueries({ queryKey: ['organization'] }) }
          : {})}
        title={
          isOutdated
            ? 'Someone else changed the settings meanwhile.'
            : 'The settings were not saved.'
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={isBusy} disabledReason={disabledReason} type="submit" variant="primary">
          {label}
        </Button>
        <Button disabled={isBusy} onClick={onReset}>
          Discard
        </Button>
        <div className="ml-auto">
          <CopyCurl request={{ method: 'PATCH', path: '/organization', body: change }} />
        </div>
      </div>
    </>
  )
}
