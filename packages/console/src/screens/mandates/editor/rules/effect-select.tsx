import type { Effect } from '@purser/sdk'
import { Flag, UserRound, X } from 'lucide-react'
import { Badge } from '../../../../ui/badge.tsx'
import { NativeSelect } from '../../../../ui/native-select.tsx'
import { EFFECT_WORDS } from '../../../../words/words.ts'
import type { RuleForm } from '../form/rule-form.ts'

const OPTIONS = [
  {
    value: 'reject' as const,
    label: EFFECT_WORDS.reject,
    hint: 'The spend is rejected.',
    icon: <X aria-hidden size={14} strokeWidth={1.75} />,
  },
  {
    value: 'require_approval' as const,
    label: EFFECT_WORDS.require_approval,
    hint: 'A person decides.',
    icon: <UserRound aria-hidden size={14} strokeWidth={1.75} />,
  },
  {
    value: 'flag' as const,
    label: EFFECT_WORDS.flag,
    hint: 'The spend passes and is marked.',
    icon: <Flag aria-hidden size={14} strokeWidth={1.75} />,
  },
]

interface EffectSelectProps {
  readonly rule: RuleForm
  readonly name: string
  readonly onChange: (effect: Effect) => void
}

/** The effect of the rule when it fails. */
export function EffectSelect({ rule, name, onChange }: EffectSelectProps) {
  if (rule.type === 'approval') {
    return (
      <Badge icon={<UserRound aria-hidden size={13} strokeWidth={1.75} />} tone="ask">
        Requires approval
      </Badge>
    )
  }
  return (
    <NativeSelect
      aria-label={`If “${name}” fails`}
      look="button"
      onChange={onChange}
      options={OPTIONS}
      size="sm"
      value={rule.effect}
    />
  )
}
