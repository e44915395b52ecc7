import type { Vendor } from '@purser/sdk'
import { useRef, useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { isEmpty } from '../../page/changes.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { errorUnder, isAllUnder, useFirstWrongField } from '../../page/form-errors.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ShopFields } from './shop-fields.tsx'
import { mistakesOf, toChange, toForm, toInput, type VendorForm } from './vendor-form.ts'

interface VendorDialogProps {
  /** Undefined: a new one. */
  readonly vendor: Vendor | undefined
  /** The values that a link fills in. */
  readonly given?: Partial<VendorForm>
  readonly onSaved: (vendor: Vendor) => void
  readonly onClose: () => void
}

const FIELDS = ['/host', '/name', '/category', '/x402Payees', '/cardAliases', '/acp']

/** Adds a vendor to the directory, or changes one. */
export function VendorDialog({ vendor: current, given, onSaved, onClose }: VendorDialogProps) {
  // As the form began: a field that someone else changes meanwhile is no change of this person.
  const [vendor] = useState(current)
  const [form, setForm] = useState(() => toForm(vendor, given))
  const [tries, setTries] = useState(0)
  const area = useRef<HTMLDivElement>(null)
  const save = useAction({
    run: (input: VendorForm, options) =>
      vendor
        ? purser.vendors.update(vendor.id, toChange(input, vendor), options)
        : purser.vendors.create(toInput(input), options),
    sentence: vendor ? `Change ${vendor.host}` : 'Add a vendor to the directory',
    touches: [['vendors']],
    done: ({ host }) => (vendor ? `${host} is changed.` : `${host} is in the directory.`),
    onDone: onSaved,
  })
  const mistakes = tries > 0 ? mistakesOf(form, vendor) : {}
  useFirstWrongField(area, save.error ?? tries)
  const set = (change: Partial<VendorForm>) => setForm((before) => ({ ...before, ...change }))
  function submit() {
    setTries(tries + 1)
    if (!isEmpty(mistakesOf(form, vendor))) return
    // The gateway refuses a change without fields.
    if (vendor && isEmpty(toChange(form, vendor))) onClose()
    else void save.start(form)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={submit}
      title={vendor ? `Change ${vendor.host}` : 'Add a vendor'}
      description="Spends are judged by this entry from now on. It cannot be deleted later, only changed."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl request={requestOf(form, vendor)} />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} type="submit" variant="primary">
            {vendor ? 'Save vendor' : 'Add vendor'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5" ref={area}>
        {save.error && !isAllUnder(save.error, FIELDS) ? (
          <ErrorNotice title="The vendor was not saved." error={save.error} />
        ) : null}
        {vendor ? null : (
          <TextField
            label="Host"
            required
            placeholder="api.example.com"
            help="The gateway takes the host out of a URL."
            value={form.host}
            onChange={(host) => set({ host })}
            error={mistakes.host ?? errorUnder(save.error, '/host')}
            spellCheck={false}
          />
        )}
        <div className="grid gap-3.5 phone:grid-cols-2">
          <TextField
            label="Name"
            note="optional"
            value={form.name}
            onChange={(name) => set({ name })}
            error={errorUnder(save.error, '/name')}
          />
          <TextField
            label="Category"
            note="optional"
            help="Used for x402 and ACP in place of the agent’s."
            value={form.category}
            onChange={(category) => set({ category })}
            error={errorUnder(save.error, '/category')}
          />
        </div>
        <TextArea
          label="x402 payees"
          note="optional"
          mono
          rows={2}
          placeholder="eip155:8453 0x036CbD53842c5426634e7929541eC2318f3dCF7e"
          help="One network and address per line. Without any, payments may go to every address."
          value={form.payees}
          onChange={(payees) => set({ payees })}
          error={mistakes.payees ?? errorUnder(save.error, '/x402Payees')}
          spellCheck={false}
        />
        <TextArea
          label="Card names"
          note="optional"
          rows={2}
          placeholder="OPENAI *CHATGPT"
          help="The names on card statements, one per line. For an id in a card network: id 1234567 visa."
          value={form.aliases}
          onChange={(aliases) => set({ aliases })}
          error={errorUnder(save.error, '/cardAliases')}
          spellCheck={false}
        />
        <ShopFields
          {...{ form, set, mistakes, error: save.error }}
          hint={vendor?.acp?.credentialHint}
        />
      </div>
    </Dialog>
  )
}

/** Secrets are left out: the text of a shell ends in its history. */
function requestOf(form: VendorForm, vendor: Vendor | undefined) {
  const hidden = (text: string) => (text === '' ? '' : '…')
  const told = {
    ...form,
    ...{ credential: hidden(form.credential), webhookSecret: hidden(form.webhookSecret) },
  }
  if (!vendor) return { method: 'POST', path: '/vendors', body: toInput(told) } as const
  const path = `/vendors/${vendor.id}`
  return { method: 'PATCH', path, body: toChange(told, vendor) } as const
}
