import { Plus } from 'lucide-react'
import { Button } from '../../../../ui/button.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { RULE_WORDS } from '../../../../words/words.ts'
import type { RuleType } from '../form/rule-form.ts'
import { RuleIcon } from './rule-icon.tsx'

const TYPES: readonly RuleType[] = [
  ...(['amount', 'limit', 'approval', 'vendors', 'categories', 'new_vendor'] as const),
  ...(['schedule', 'paths', 'duplicate', 'price_drift', 'expression'] as const),
]
const RULES_MAX = 64

interface AddRuleProps {
  readonly count: number
  readonly onAdd: (type: RuleType) => void
}

/** The types of rules to choose from. */
export function AddRule({ count, onAdd }: AddRuleProps) {
  const button = (
    <Button
      disabledReason={count >= RULES_MAX ? `A mandate has at most ${RULES_MAX} rules.` : undefined}
      icon={<Plus aria-hidden size={14} />}
      size="sm"
    >
      Add a rule
    </Button>
  )
  if (count >= RULES_MAX) return button
  return (
    <Menu
      items={TYPES.map((type) => ({
        icon: <RuleIcon type={type} />,
        label: (
          <>
            {RULE_WORDS[type]?.name}
            <span className="block text-small text-ink-3">{RULE_WORDS[type]?.about}</span>
          </>
        ),
        onSelect: () => onAdd(type),
      }))}
      label="Types of rules"
      trigger={button}
    />
  )
}
