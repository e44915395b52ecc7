import { MoneyField } from '../../../../ui/money-field.tsx'
import { NativeSelect } from '../../../../ui/native-select.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { PATH_WORDS } from '../../../../words/words.ts'
import { PATHS } from '../form/rule-form.ts'
import { MoreSettings } from '../rules/more-settings.tsx'
import type { TestSpend } from './test-input.ts'

interface TestFieldsProps {
  readonly test: TestSpend
  readonly onChange: (test: TestSpend) => void
  readonly currency: string
  readonly zone: string
}

/** The spend to test. */
export function TestFields({ test, onChange, currency, zone }: TestFieldsProps) {
  const set = (change: Partial<TestSpend>) => onChange({ ...test, ...change })
  return (
    <>
      <div className="grid grid-cols-[6.5rem_auto_minmax(0,1fr)] items-start gap-x-2 gap-y-2 phone:grid-cols-[6.5rem_auto_minmax(0,1fr)_5.25rem]">
        <MoneyField
          currency={currency}
          hideLabel
          label="Amount to test"
          onChange={(amount) => set({ amount })}
          value={test.amount}
        />
        <span className="pt-1.5 text-ink-2">at</span>
        <TextField
          autoCapitalize="none"
          hideLabel
          label="Vendor to test"
          onChange={(vendor) => set({ vendor })}
          placeholder="sas.se"
          spellCheck={false}
          value={test.vendor}
        />
        <div className="max-phone:col-span-3">
          <TextField
            autoCapitalize="none"
            hideLabel
            label="Category to test"
            onChange={(category) => set({ category })}
            placeholder="travel"
            spellCheck={false}
            value={test.category}
          />
        </div>
      </div>
      <div className="mt-1 flex flex-wrap">
        <MoreSettings
          isUsed={test.path !== 'evaluate' || test.at !== ''}
          label="Payment path and time"
        >
          <NativeSelect
            label="Payment path"
            onChange={(path) => set({ path })}
            options={PATHS.map((value) => ({ value, label: PATH_WORDS[value] }))}
            value={test.path}
          />
          <TextField
            help={`Empty: now. ${zone}`}
            label="At"
            onChange={(at) => set({ at })}
            type="datetime-local"
            value={test.at}
          />
        </MoreSettings>
      </div>
    </>
  )
}
