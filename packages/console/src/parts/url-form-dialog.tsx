import type { ComponentProps, ReactNode, RefObject } from 'react'
import { ErrorNotice } from '../page/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { CopyCurl } from './copy-curl.tsx'

interface UrlFormDialogProps {
  readonly title: string
  readonly description: string
  readonly url: {
    readonly value: string
    readonly onChange: (url: string) => void
    readonly field: RefObject<HTMLInputElement | null>
    readonly help: string
    readonly placeholder: string
    readonly error: string | undefined
  }
  readonly save: {
    readonly verb: string
    readonly variant?: 'primary' | 'danger-solid'
    readonly isBusy: boolean
    readonly disabledReason?: string | undefined
    /** Shown unless the field shows it. */
    readonly error: ComponentProps<typeof ErrorNotice>['error']
    readonly failed: string
  }
  /** The same change as a command, if the API has it. */
  readonly curl?: ComponentProps<typeof CopyCurl>
  /** The button that closes without a change. */
  readonly close?: string
  readonly onClose: () => void
  readonly onSubmit: () => Promise<void>
  /** Further fields, between the URL and the error. */
  readonly fields?: ReactNode
  /** Results, after the error. */
  readonly children?: ReactNode
}

/** A form in a dialog that asks for a URL, which begins with the focus. */
export function UrlFormDialog(props: UrlFormDialogProps) {
  const { title, description, url, save, curl, close = 'Cancel', onClose, onSubmit } = props
  return (
    <Dialog
      description={description}
      footer={
        <>
          {curl && (
            <div className="mr-auto">
              <CopyCurl {...curl} />
            </div>
          )}
          <Button onClick={onClose}>{close}</Button>
          <Button
            busy={save.isBusy}
            disabledReason={save.disabledReason}
            type="submit"
            variant={save.variant ?? 'primary'}
          >
            {save.verb}
          </Button>
        </>
      }
      initialFocus={url.field}
      onClose={onClose}
      onSubmit={() => void onSubmit()}
      open
      title={title}
    >
      <div className="grid gap-3">
        <TextField
          error={url.error}
          help={url.help}
          inputMode="url"
          label="URL"
          mono
          onChange={url.onChange}
          placeholder={url.placeholder}
          ref={url.field}
          spellCheck={false}
          value={url.value}
        />
        {props.fields}
        <ErrorNotice error={url.error === undefined ? save.error : null} title={save.failed} />
        {props.children}
      </div>
    </Dialog>
  )
}
