import { Ellipsis } from 'lucide-react'
import { isAt, PLACES } from '../places/places.ts'
import { Link } from '../router/link.tsx'
import { usePathname } from '../router/use-router.ts'
import { Menu } from '../ui/menu.tsx'
import { ApprovalCount } from './approval-count.tsx'
import { useAccountItems } from './who.tsx'

/** The places of the bottom bar on narrow screens; the others are under "More". */
const BAR = ['/', '/transactions', '/approvals', '/agents']
const ITEM =
  'relative flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-micro text-ink-2 hover:no-underline aria-[current]:font-strong aria-[current]:text-accent'

export function BottomBar() {
  const pathname = usePathname()
  const account = useAccountItems()
  const places = PLACES.flatMap((group) => group.places)
  const rest = places.filter(({ path }) => !BAR.includes(path))
  const isElsewhere = rest.some(({ path }) => isAt(pathname, path))
  return (
    <nav
      aria-label="Screens"
      data-print="none"
      className="fixed inset-x-0 bottom-0 z-(--z-rail) flex border-t border-line bg-sheet pb-[env(safe-area-inset-bottom)] tablet:hidden"
    >
      {places
        .filter(({ path }) => BAR.includes(path))
        .map(({ path, label, icon: Icon }) => (
          <Link
            key={path}
            to={path}
            className={ITEM}
            aria-current={isAt(pathname, path) ? 'page' : undefined}
          >
            <Icon size={18} strokeWidth={1.5} />
            {label}
            {path === '/approvals' ? (
              <span className="absolute top-3.5 left-1/2">
                <ApprovalCount />
              </span>
            ) : null}
          </Link>
        ))}
      <Menu
        trigger={
          <button type="button" className={ITEM} aria-current={isElsewhere ? 'page' : undefined}>
            <Ellipsis size={18} strokeWidth={1.5} />
            More
          </button>
        }
        items={[
          ...rest.map(({ path, label, icon: Icon }) => ({
            label,
            icon: <Icon size={16} strokeWidth={1.5} />,
            href: path,
          })),
          ...account,
        ]}
      />
    </nav>
  )
}
