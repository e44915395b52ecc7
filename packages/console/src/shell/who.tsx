import { useQueryClient } from '@tanstack/react-query'
import { CircleHelp, LogOut, Moon, Sun, SunMoon, UserRound } from 'lucide-react'
import { neededProof } from '../data/ask-again.ts'
import { callConsole } from '../data/console-api.ts'
import { useMe } from '../data/session.ts'
import { useRouter } from '../router/use-router.ts'
import { useTheme } from '../theme/use-theme.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { ROLE_WORDS } from '../words/roles.ts'
import { initialsOf } from '../words/text.ts'
import { openShortcuts } from './palette-state.ts'

const ICON = { size: 16, strokeWidth: 1.5 } as const

/** The signed-in member, the theme, and help. */
export function Who() {
  const { member } = useMe()
  const [theme, setTheme] = useTheme()
  const items = useAccountItems()
  const ThemeIcon = theme === 'dark' ? Moon : theme === 'light' ? Sun : SunMoon
  return (
    <div className="mt-2 flex w-full items-center gap-1 border-t border-line pt-2 max-laptop:flex-col">
      <Menu
        trigger={
          <button
            type="button"
            className="flex min-w-0 flex-1 items-center gap-2 rounded-2 p-1.5 text-left hover:bg-hover"
          >
            <span
              aria-hidden="true"
              className="grid size-6.5 flex-none place-items-center rounded-full bg-navy text-[0.65rem] font-strong text-on-navy"
            >
              {initialsOf(member.name)}
            </span>
            <span className="min-w-0 max-laptop:sr-only">
              <span className="sr-only">Account of </span>
              <b className="block truncate leading-[1.05rem]">{member.name}</b>
              <span className="block text-small text-ink-3">{ROLE_WORDS[member.role].name}</span>
            </span>
          </button>
        }
        items={items}
      />
      <Menu
        trigger={<IconButton label="Theme" icon={<ThemeIcon {...ICON} />} variant="quiet" />}
        items={[
          { label: 'System', icon: <SunMoon {...ICON} />, onSelect: () => setTheme('system') },
          { label: 'Light', icon: <Sun {...ICON} />, onSelect: () => setTheme('light') },
          { label: 'Dark', icon: <Moon {...ICON} />, onSelect: () => setTheme('dark') },
        ]}
      />
      <IconButton
        label="Keyboard shortcuts"
        icon={<CircleHelp {...ICON} />}
        variant="quiet"
        onClick={openShortcuts}
      />
    </div>
  )
}

/** The menu items for the member's own account. */
export function useAccountItems() {
  const router = useRouter()
  const client = useQueryClient()
  const signOut = async () => {
    try {
      await callConsole('signOut')
    } catch (error) {
      // An ended session is signed out. After any other failure the session is still there.
      if (neededProof(error) !== 'session') {
        toast('You are still signed in: the gateway did not end the session. Try again.')
        return
      }
    }
    await router.navigate({ to: '/sign-in' })
    client.clear()
  }
  return [
    { label: 'Your account', icon: <UserRound {...ICON} />, href: '/settings/me' },
    { label: 'Sign out', icon: <LogOut {...ICON} />, onSelect: () => void signOut() },
  ]
}
