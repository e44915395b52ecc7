import type { ListedTransaction, PurserError, Transaction } from '@purser/sdk'
import { type RefObject, useRef, useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { moneyValue, tidyMoney } from '../../../ui/money-text.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldError } from '../../../words/errors.ts'
import { formatMoney } from '../../../words/money.ts'
import { type ChangeKind, type ChangeWords, changeWords } from './changes.ts'

interface ChangeDialogProps {
  readonly kind: ChangeKind
  readonly transaction: Transaction
  readonly onClose: () => void
  readonly onDone: (transaction: ListedTransaction) => void
}

interface ChangeInput {
  readonly amount?: number
  readonly proof?: string
  readonly reason?: string
}

/** Includes the whole amount, so that the copied command names it. */
function inputOf(kind: ChangeKind, amount: string | null, proof: string): ChangeInput {
  return {
    ...(amount === null ? {} : { amount: Number(amount) }),
    ...(proof === '' ? {} : { [kind === 'void' ? 'reason' : 'proof']: proof }),
  }
}

const DONE: Readonly<Record<ChangeKind, string>> = {
  settle: 'The hold is settled.',
  void: 'The hold is voided.',
  refund: 'The refund is recorded.',
}

/** Settles, voids or refunds. It shows the effect on the budget before it does anything. */
export function ChangeDialog({ kind, transaction, onClose, onDone }: ChangeDialogProps) {
  const { transactionId: id, currency } = transaction
  const words = changeWords(kind, transaction)
  const [amount, setAmount] = useState(words.most === null ? '' : tidyMoney(String(words.most)))
  const [proof, setProof] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const action = useAction<ChangeInput, Transaction>({
    run: (input, options) => purser.transactions[kind](id, input, options),
    sentence: words.action,
    touches: [
      ['transactions', 'one', id],
      ['auditLog'],
      ['mandates'],
      ['agents'],
      ['transactionCounts'],
    ],
    done: () => DONE[kind],
    onDone: (changed) => {
      onDone(changed)
      onClose()
    },
  })
  const value = moneyValue(amount)
  const problem = amountProblem(words.most, value, currency)
  const input = inputOf(kind, words.most === null ? null : value, proof.trim())
  function submit(): void {
    if (problem !== undefined) field.current?.focus()
    else void action.start(input)
  }
  return (
    <Dialog
      open
      alert
      size="sm"
      title={words.title}
      description={words.effect}
      initialFocus={words.most === null && !words.proof ? undefined : field}
      onClose={action.isBusy ? () => {} : onClose}
      onSubmit={submit}
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{ method: 'POST', path: `/transactions/${id}/${kind}`, body: input }}
            />
          </div>
          <Button onClick={onClose} disabled={action.isBusy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={action.isBusy}>
            {words.action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 empty:hidden">
        <Fields
          {...{ kind, words, currency, amount, proof, problem, field }}
          error={action.error}
          onAmount={setAmount}
          onProof={setProof}
        />
        <ErrorNotice title={`“${words.action}” failed.`} error={action.error} />
      </div>
    </Dialog>
  )
}

interface FieldsProps {
  readonly kind: ChangeKind
  readonly words: ChangeWords
  readonly currency: string | null
  readonly amount: string
  readonly proof: string
  readonly problem: string | undefined
  readonly field: RefObject<HTMLInputElement | null>
  readonly error: PurserError | null
  readonly onAmount: (text: string) => void
  readonly onProof: (text: string) => void
}

function Fields(props: FieldsProps) {
  const { kind, words, currency, amount, proof, problem, field, error } = props
  return (
    <>
      {words.most === null ? null : (
        <MoneyField
          ref={field}
          label={words.amountLabel}
          help={`At most ${formatMoney(words.most, currency)}.`}
          currency={currency ?? ''}
          value={amount}
          onChange={props.onAmount}
          error={problem ?? fieldError(error, '/amount')}
        />
      )}
      {words.proof ? (
        <TextField
          ref={words.most === null ? field : undefined}
          label={words.proof.label}
          help={words.proof.help}
          value={proof}
          onChange={props.onProof}
          maxLength={500}
          error={fieldError(error, kind === 'void' ? '/reason' : '/proof')}
        />
      ) : null}
    </>
  )
}

/** The gateway refuses more than is held or settled. The dialog says so before the press. */
function amountProblem(
  most: number | null,
  value: string | null,
  currency: string | null,
): string | undefined {
  if (most === null) return undefined
  if (value === null) return 'Enter an amount.'
  return Number(value) > most ? `At most ${formatMoney(most, currency)}.` : undefined
}
