import type { Scope } from '@purser/sdk'
import { TriangleAlert } from 'lucide-react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { type RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { areasFor, type Reach } from './reach.ts'

interface ReachFieldProps {
  readonly isBound: boolean
  readonly reach: Reach
  readonly scopes: readonly Scope[]
  readonly onReach: (reach: Reach) => void
  readonly onScopes: (scopes: readonly Scope[]) => void
  readonly error: string | undefined
}

/** The permissions of a key: one of three answers, or scopes one by one. */
export function ReachField(props: ReachFieldProps) {
  const { isBound, reach, scopes, onReach, onScopes, error } = props
  const everything: RadioCard<Reach> = {
    value: 'everything',
    title: 'Everything',
    icon: <TriangleAlert aria-hidden="true" className="text-ask" size={14} />,
    warns: true,
    children: 'Anyone who has this key can do everything that you can, except manage members.',
  }
  const options: readonly RadioCard<Reach>[] = [
    {
      value: 'spends',
      title: 'Spend',
      children: isBound
        ? 'Requests spends for its agent, and reads its own mandate and transactions.'
        : 'Requests spends for every agent, and reads all transactions.',
    },
    {
      value: 'reads',
      title: 'Read',
      children: isBound ? 'Sees the agent’s transactions.' : 'Sees everything, changes nothing.',
    },
    ...(isBound ? [] : [everything]),
    { value: 'custom', title: 'Chosen scopes', children: 'You choose each one.' },
  ]
  function toggle(scope: Scope, isOn: boolean) {
    onScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))
  }
  return (
    <div className="grid gap-3">
      <RadioCards
        columns={isBound ? 3 : 2}
        label="Access"
        onChange={onReach}
        options={options}
        value={reach}
      />
      {reach === 'custom' ? (
        <Field error={error} group hideLabel label="Scopes">
          <ul className="rounded-3 border border-line">
            {areasFor(isBound).map(({ area, word, write }) => (
              <li
                className="grid grid-cols-[minmax(0,1fr)_4rem_minmax(0,1.8fr)] items-center gap-2 border-line px-3 py-1.5 not-first:border-t max-phone:grid-cols-2"
                key={area}
              >
                <span className="max-phone:col-span-2">{word}</span>
                {(['read', 'write'] as const).map((verb) => {
                  const scope = `${area}:${verb}` as Scope
                  return (
                    <Checkbox
                      checked={scopes.includes(scope)}
                      key={verb}
                      label={
                        <span className="text-small">
                          <span className="sr-only">{word}: </span>
                          {verb === 'read' ? 'see' : write}
                        </span>
                      }
                      onChange={(isOn) => toggle(scope, isOn)}
                    />
                  )
                })}
              </li>
            ))}
          </ul>
        </Field>
      ) : null}
    </div>
  )
}
