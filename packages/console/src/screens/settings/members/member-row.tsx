import { Ellipsis, KeyRound, UserRoundMinus, UserRoundPen } from 'lucide-react'
import { useMe } from '../../../data/session.ts'
import type { Member } from '../../../generated/console-api.ts'
import { When } from '../../../parts/when.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Row, Td } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { ROLE_WORDS } from '../../../words/roles.ts'
import { initialsOf } from '../../../words/text.ts'
import { LAST_OWNER, refusalFor } from './rights.ts'

export type MemberVerb = 'role' | 'reset' | 'remove'

interface MemberRowProps {
  readonly member: Member
  readonly isLastOwner: boolean
  readonly onAct: (verb: MemberVerb) => void
}

const ICON = { size: 14, 'aria-hidden': true } as const

export function MemberRow({ member, isLastOwner, onAct }: MemberRowProps) {
  const me = useMe()
  const { name, may } = ROLE_WORDS[member.role]
  const refusal = refusalFor(me.member.role, member)
  const last = refusal ?? (isLastOwner ? LAST_OWNER : undefined)
  return (
    <Row>
      <Td className="max-tablet:py-2 max-tablet:whitespace-normal">
        <span className="flex items-center gap-2.5">
          <span
            aria-hidden="true"
            className="grid size-6.5 flex-none place-items-center rounded-full bg-navy text-[0.65rem] font-strong text-on-navy"
          >
            {initialsOf(member.name)}
          </span>
          <span className="min-w-0">
            <bdi className="font-medium break-words">{member.name}</bdi>{' '}
            {member.id === me.member.id ? <Tag>you</Tag> : null}
            <span className="block text-small text-ink-3 wrap-anywhere tablet:hidden">
              {member.email}
            </span>
            <span className="block text-small text-ink-3 phone:hidden">{name}</span>
          </span>
        </span>
      </Td>
      <Td className="max-w-64 truncate text-ink-2 max-tablet:hidden">{member.email}</Td>
      <Td className="max-phone:hidden max-desk:whitespace-normal">
        {name} <span className="text-small text-ink-3 max-tablet:hidden">{may}</span>
      </Td>
      <Td className="text-ink-2 max-tablet:hidden">
        <When ago at={member.createdAt} />
      </Td>
      <Td align="right">
        <Menu
          items={[
            {
              ...{ label: 'Change the role…', icon: <UserRoundPen {...ICON} /> },
              ...{ disabledReason: last, onSelect: () => onAct('role') },
            },
            {
              ...{ label: 'Create a reset link…', icon: <KeyRound {...ICON} /> },
              ...{ disabledReason: refusal, onSelect: () => onAct('reset') },
            },
            'separator',
            {
              ...{ label: 'Remove…', icon: <UserRoundMinus {...ICON} />, danger: true },
              ...{ disabledReason: last, onSelect: () => onAct('remove') },
            },
          ]}
          label={`Actions for ${member.name}`}
          trigger={
            <IconButton
              icon={<Ellipsis size={16} aria-hidden />}
              label={`Actions for ${member.name}`}
            />
          }
        />
      </Td>
    </Row>
  )
}
