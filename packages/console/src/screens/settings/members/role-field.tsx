import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ROLE_WORDS, type Role } from '../../../words/roles.ts'

interface RoleFieldProps {
  readonly value: Role
  readonly roles: readonly Role[]
  readonly onChange: (role: Role) => void
}

/** The roles in words. An owner or admin can do nearly everything, so those are brass. */
export function RoleField({ value, roles, onChange }: RoleFieldProps) {
  return (
    <RadioCards
      label="Role"
      onChange={onChange}
      options={roles.map((role) => {
        const { name, may } = ROLE_WORDS[role]
        const sentence = `${may.charAt(0).toUpperCase()}${may.slice(1)}.`
        return {
          value: role,
          title: name,
          children: sentence,
          warns: role === 'owner' || role === 'admin',
        }
      })}
      value={value}
    />
  )
}
