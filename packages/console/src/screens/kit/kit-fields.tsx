import { Ban, Flag, Search, User } from 'lucide-react'
import { useState } from 'react'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'

const ZONES = ['Europe/Stockholm', 'Europe/Berlin', 'America/New_York', 'UTC']

export function KitFields() {
  const [text, setText] = useState('Travel booker')
  const [host, setHost] = useState('sas')
  const [secret, setSecret] = useState('correct horse')
  const [amount, setAmount] = useState('250.00')
  const [minutes, setMinutes] = useState('30')
  const [note, setNote] = useState('Flight ARN to BER for the November offsite')
  const [effect, setEffect] = useState<'reject' | 'ask' | 'flag'>('reject')
  const [zone, setZone] = useState('Europe/Stockholm')
  const [vendor, setVendor] = useState('')
  const [kind, setKind] = useState<'agent' | 'all'>('agent')
  const options = [
    { value: 'reject', label: 'Reject', icon: <Ban aria-hidden="true" size={14} /> },
    {
      value: 'ask',
      label: 'Require approval',
      hint: 'A person decides.',
      icon: <User aria-hidden="true" size={14} />,
    },
    { value: 'flag', label: 'Flag', icon: <Flag aria-hidden="true" size={14} /> },
  ] as const
  return (
    <>
      <Card>
        <CardHeader title="Fields" />
        <CardBody className="grid gap-4 phone:grid-cols-2">
          <TextField help="Shown in every list." label="Name" onChange={setText} value={text} />
          <TextField
            error="This is no host name. Enter one such as sas.se."
            label="Vendor"
            onChange={setHost}
            value={host}
          />
          <MoneyField
            currency="USD"
            label="Per-spend limit"
            onChange={setAmount}
            value={amount}
            was="was 200.00 in version 4"
          />
          <NumberField
            label="Expires in"
            max={1440}
            min={1}
            onChange={setMinutes}
            unit="minutes"
            value={minutes}
          />
          <PasswordField label="Password" onChange={setSecret} value={secret} />
          <TextField
            disabled
            label="Currency"
            note="cannot change"
            onChange={() => undefined}
            value="USD"
          />
          <Select label="Effect" onChange={setEffect} options={options} value={effect} />
          <Combobox
            label="Time zone"
            onChange={setZone}
            options={ZONES.map((value) => ({ value, label: value }))}
            value={zone}
          />
          <Field label="Note" note="optional">
            <TextArea onChange={setNote} value={note} />
          </Field>
          <Combobox
            freeText
            help="Anything may be entered."
            label="Host"
            onChange={setVendor}
            options={[
              { value: 'sas.se', label: 'sas.se', hint: 'travel' },
              { value: 'bahn.de', label: 'bahn.de', hint: 'travel' },
            ]}
            placeholder="sas.se"
            value={vendor}
          />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Choices" />
        <CardBody className="grid gap-4">
          <RadioCards
            columns={2}
            label="Which agents may use the key?"
            onChange={setKind}
            options={[
              { value: 'agent', title: 'One agent', children: 'Spends as Travel booker only.' },
              {
                value: 'all',
                title: 'Everything',
                children: 'Can do all that you can.',
                warns: true,
              },
            ]}
            value={kind}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Select
              aria-label="Effect"
              look="button"
              onChange={setEffect}
              options={options}
              value={effect}
            />
            <span className="w-53">
              <TextField
                aria-label="Find"
                icon={<Search aria-hidden="true" className="shrink-0 text-ink-3" size={14} />}
                onChange={setVendor}
                placeholder="Host, reference or id"
                size="sm"
                type="search"
                value={vendor}
              />
            </span>
            <span className="w-30">
              <MoneyField aria-label="Amount" currency="USD" onChange={setAmount} value={amount} />
            </span>
          </div>
          <TextField label="Large" onChange={setText} size="lg" value={text} />
        </CardBody>
      </Card>
    </>
  )
}
