import type { PurserError } from '@purser/sdk'
import { errorUnder } from '../../page/form-errors.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ACP_VERSIONS, type FormMistakes, type VendorForm } from './vendor-form.ts'

interface ShopFieldsProps {
  readonly form: VendorForm
  readonly set: (change: Partial<VendorForm>) => void
  readonly mistakes: FormMistakes
  readonly error: PurserError | null
  /** The last characters of the stored token. */
  readonly hint: string | undefined
}

/** How the gateway buys at the vendor's shop by ACP. */
export function ShopFields({ form, set, mistakes, error, hint }: ShopFieldsProps) {
  return (
    <div className="grid gap-3.5 rounded-3 border border-line p-3.5">
      <Checkbox
        checked={form.hasShop}
        label="ACP shop"
        help="Agents can check out at this vendor by ACP."
        onChange={(hasShop) => set({ hasShop })}
      />
      {form.hasShop ? (
        <>
          <TextField
            label="API base URL"
            required
            value={form.apiBaseUrl}
            onChange={(apiBaseUrl) => set({ apiBaseUrl })}
            error={mistakes.apiBaseUrl ?? errorUnder(error, '/acp/apiBaseUrl')}
            spellCheck={false}
          />
          <div className="grid gap-3.5 phone:grid-cols-2">
            <Select
              label="ACP version"
              value={form.version}
              options={ACP_VERSIONS.map((value) => ({ value, label: value }))}
              onChange={(version) => set({ version })}
              error={errorUnder(error, '/acp/version')}
            />
            <TextField
              label="Stripe profile id"
              note="optional"
              value={form.profileId}
              onChange={(profileId) => set({ profileId })}
              error={errorUnder(error, '/acp/profileId')}
            />
          </div>
          <TextArea
            label="Merchant ids"
            rows={2}
            mono
            help="The merchant’s ids at its payment provider, one per line. A checkout that pays any other id is refused."
            value={form.merchantIds}
            onChange={(merchantIds) => set({ merchantIds })}
            error={errorUnder(error, '/acp/merchantIds')}
          />
          <TextField
            type="password"
            label="Bearer token of the merchant"
            autoComplete="off"
            help={
              hint
                ? `Ends in ${hint}. Leave it empty to keep it.`
                : 'Stored encrypted, never shown again.'
            }
            value={form.credential}
            onChange={(credential) => set({ credential })}
            error={mistakes.credential ?? errorUnder(error, '/acp/credential')}
          />
          <TextField
            type="password"
            label="Secret for order events"
            note="optional"
            autoComplete="off"
            help="Stored encrypted, never shown again."
            value={form.webhookSecret}
            onChange={(webhookSecret) => set({ webhookSecret })}
            error={errorUnder(error, '/acp/webhookSecret')}
          />
        </>
      ) : null}
    </div>
  )
}
