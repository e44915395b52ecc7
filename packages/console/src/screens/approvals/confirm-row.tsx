import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import type { curlOf } from '../../parts/curl.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextField } from '../../ui/text-field.tsx'
import { CurlMenu } from './curl-menu.tsx'

interface ConfirmRowProps {
  readonly isYes: boolean
  /** The verb and the object: "Approve 1,480.00 USD". */
  readonly label: string
  readonly note: string
  readonly setNote: (note: string) => void
  readonly isBusy: boolean
  readonly onCancel: () => void
  readonly onConfirm: () => void
  /** The request that the confirmation sends, for a shell. */
  readonly request: Parameters<typeof curlOf>[0]
  /** The effect of the action. */
  readonly children: ReactNode
}

/** Confirms an answer in place: Enter sends it, Escape takes it back. */
export function ConfirmRow(props: ConfirmRowProps) {
  const { isYes, label, note, setNote, isBusy, onCancel, onConfirm, request, children } = props
  const confirm = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A no may have a reason, so its note comes first; a yes is ready for Enter.
    if (isYes) confirm.current?.focus()
    else field.current?.focus()
  }, [isYes])
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !isBusy) {
      event.stopPropagation()
      onCancel()
    }
    // A key that is held down must not confirm the question that it has just opened.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
  }
  return (
    <form
      aria-label={label}
      className="flex w-full flex-wrap items-center gap-2"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm()
      }}
    >
      <p className={cx('min-w-0 flex-1', isYes ? 'basis-80' : 'basis-full')} role="status">
        {children}
        {isYes && note.trim() !== '' ? (
          <span className="block text-small text-ink-2">
            Note: “<bdi>{note.trim()}</bdi>”
          </span>
        ) : null}
      </p>
      {isYes ? null : (
        <div className="min-w-0 flex-1 max-tablet:basis-full">
          <TextField
            hideLabel
            label="Reason for the agent and the record"
            maxLength={1_000}
            onChange={setNote}
            placeholder="Reason (optional)"
            ref={field}
            value={note}
          />
        </div>
      )}
      <span className="max-tablet:hidden">
        <CopyCurl request={request} variant="quiet" />
      </span>
      <span className="tablet:hidden">
        <CurlMenu request={request} />
      </span>
      <Button className="max-tablet:flex-1" disabled={isBusy} kbd={['Esc']} onClick={onCancel}>
        Cancel
      </Button>
      <Button
        busy={isBusy}
        className="max-tablet:flex-2"
        kbd={['↵']}
        onClick={(event) => {
          // The second press of a double click landed here by accident.
          if (event.detail > 1) event.preventDefault()
        }}
        ref={confirm}
        type="submit"
        variant={isYes ? 'primary' : 'danger-solid'}
      >
        {label}
      </Button>
    </form>
  )
}
