import { Search } from 'lucide-react'
import logo from '../brand/logo.svg'
import { IconButton } from '../ui/icon-button.tsx'
import { EnvironmentLabel } from './environment-label.tsx'
import { openPalette } from './palette-state.ts'
import { useOrganizationName } from './use-organization-name.ts'

/** Replaces the head of the rail on narrow screens. */
export function TopBar() {
  const name = useOrganizationName()
  return (
    <header data-print="none" className="flex items-center gap-2.5 px-4 py-2 tablet:hidden">
      <img src={logo} alt="" className="size-6.5 flex-none" />
      <div className="min-w-0 flex-1">
        <b className="block truncate leading-[1.05rem] tracking-tight">{name}</b>
        <EnvironmentLabel />
      </div>
      <IconButton
        label="Search or run a command"
        icon={<Search size={16} strokeWidth={1.5} />}
        onClick={openPalette}
      />
    </header>
  )
}
