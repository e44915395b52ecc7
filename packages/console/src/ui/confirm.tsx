import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmAction {
  /** The verb and the object, as in the title: "Revoke travel-prod". */
  label: string
  tone?: 'primary' | 'danger' | undefined
  /** A rejected promise keeps the dialog open and shows its sentence. */
  onConfirm: () => Promise<unknown>
}

export interface ConfirmProps {
  open: boolean
  onClose: () => void
  /** The verb and the object, as a question. */
  title: ReactNode
  /** The effect of the action, from when, and whether it can be undone. */
  effect: ReactNode
  /** The things that are affected, such as a list of keys. */
  affected?: ReactNode
  /** A word that the person must type first, for a final action. */
  typed?: string | undefined
  action: ConfirmAction
  cancelLabel?: string | undefined
  /** At the left of the buttons, such as "Copy as curl". */
  aside?: ReactNode
  /** The sentence of an error. Otherwise its message is shown. */
  errorText?: ((error: unknown) => ReactNode) | undefined
  /** Runs outside, for example while a password is asked for. */
  busy?: boolean | undefined
  /** An error that is known outside. */
  error?: ReactNode
}

/** Asks before an action, with its effect, and then does it. */
export function Confirm(props: ConfirmProps) {
  const { open, onClose, title, effect, affected, typed, action, cancelLabel = 'Cancel' } = props
  const [word, setWord] = useState('')
  const [isRunning, setRunning] = useState(false)
  const [ownError, setOwnError] = useState<ReactNode>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const wordField = useRef<HTMLInputElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  const isDanger = action.tone === 'danger'
  const isBusy = isRunning || props.busy === true
  const isWordMissing = typed !== undefined && word.trim() !== typed
  const error = props.error ?? ownError

  function close() {
    if (isBusy) return
    setWord('')
    setOwnError(null)
    onClose()
  }
  async function run() {
    if (isBusy || isWordMissing) return
    setRunning(true)
    setOwnError(null)
    try {
      await action.onConfirm()
      setWord('')
      onClose()
    } catch (failure) {
      setOwnError(props.errorText?.(failure) ?? messageOf(failure))
    } finally {
      setRunning(false)
    }
  }
  // The first focus is where a stray Enter does no harm.
  const focus = typed === undefined ? (isDanger ? cancel : confirm) : wordField
  return (
    <Dialog
      alert
      footer={
        <>
          {props.aside !== undefined && <div className="mr-auto">{props.aside}</div>}
          <Button disabled={isBusy} onClick={close} ref={cancel}>
            {cancelLabel}
          </Button>
          <Button
            busy={isBusy}
            disabledReason={isWordMissing ? `Type ${typed} first.` : undefined}
            ref={confirm}
            type="submit"
            variant={isDanger ? 'danger-solid' : 'primary'}
          >
            {action.label}
          </Button>
        </>
      }
      description={effect}
      initialFocus={focus}
      onClose={close}
      onSubmit={() => void run()}
      open={open}
      size="sm"
      title={title}
    >
      <div className="flex flex-col gap-3 empty:hidden">
        {affected}
        {typed !== undefined && (
          <TextField
            autoCapitalize="none"
            label={
              <span>
                Type <b>{typed}</b> to confirm
              </span>
            }
            onChange={setWord}
            ref={wordField}
            spellCheck={false}
            value={word}
          />
        )}
        {error !== null && error !== undefined && (
          <Notice icon={<TriangleAlert aria-hidden="true" />} role="alert" tone="no">
            {error}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : 'The action failed. Nothing was changed.'
}
