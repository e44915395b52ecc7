import { Search } from 'lucide-react'
import logo from '../brand/logo.svg'
import { isAt, PLACES, type Place } from '../places/places.ts'
import { Link } from '../router/link.tsx'
import { usePathname } from '../router/use-router.ts'
import { Kbd } from '../ui/kbd.tsx'
import { ApprovalCount } from './approval-count.tsx'
import { EnvironmentLabel } from './environment-label.tsx'
import { KeyHint } from './key-hint.tsx'
import { openPalette } from './palette-state.ts'
import { useOrganizationName } from './use-organization-name.ts'
import { Who } from './who.tsx'

/** The rail: the organization, the search, and the screens. Below 1101 px it shows icons only. */
export function Rail() {
  const name = useOrganizationName()
  return (
    <header
      data-print="none"
      className="sticky top-0 flex h-dvh w-(--rail) flex-none flex-col p-3 max-laptop:w-16 max-laptop:items-center max-tablet:hidden"
    >
      <div className="flex w-full items-center gap-2.5 px-1.5 py-1">
        <img src={logo} alt="" className="size-6.5 flex-none" />
        <div className="min-w-0 max-laptop:hidden">
          <b className="block truncate leading-[1.05rem] tracking-tight" title={name}>
            {name}
          </b>
          <EnvironmentLabel />
        </div>
      </div>
      <button
        type="button"
        onClick={openPalette}
        className="my-3 flex h-8 w-full items-center gap-2 rounded-2 border border-line-strong bg-sheet pr-1.5 pl-2 text-ink-3 shadow-1 hover:border-line-control max-laptop:justify-center max-laptop:px-0"
      >
        <Search aria-hidden="true" size={16} strokeWidth={1.5} />
        <span className="max-laptop:sr-only">
          Search<span className="sr-only"> or run a command</span>
        </span>
        <span aria-hidden="true" className="ml-auto flex gap-1 max-laptop:hidden">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <nav aria-label="Screens" className="-mx-1 min-h-0 flex-1 self-stretch overflow-auto px-1">
        {PLACES.map(({ label, places }) => (
          <section key={label} aria-label={label} className="mb-4">
            <h2 className="mb-1 px-2 text-micro font-medium tracking-label text-ink-3 max-laptop:sr-only">
              {label}
            </h2>
            <ul>
              {places.map((place) => (
                <PlaceItem key={place.path} place={place} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <Who />
    </header>
  )
}

const LINK =
  'flex items-center gap-2 rounded-2 px-2 text-ink-2 hover:bg-[color-mix(in_srgb,var(--ink)_5%,transparent)] hover:text-ink hover:no-underline aria-[current]:bg-sheet aria-[current]:font-strong aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--line),var(--shadow-1)]'

function PlaceItem({ place }: { readonly place: Place }) {
  const pathname = usePathname()
  const isHere = isAt(pathname, place.path)
  const { icon: Icon, label, pages = [] } = place
  return (
    <li>
      <Link
        to={place.path}
        title={label}
        aria-current={isHere && pages.length === 0 ? 'page' : undefined}
        className={`${LINK} h-7.5 max-laptop:justify-center max-laptop:px-0 [&[aria-current]>svg]:text-accent`}
      >
        <Icon size={16} strokeWidth={1.5} className="flex-none" />
        <span className="max-laptop:sr-only">{label}</span>
        <KeyHint letter={place.key} />
        {place.path === '/approvals' ? <ApprovalCount /> : null}
      </Link>
      {isHere ? (
        <ul className="relative max-laptop:hidden">
          {pages.map((page) => (
            <li key={page.path} className="ml-4 border-l border-line-strong pl-0.5">
              <Link
                to={page.path}
                aria-current={isAt(pathname, page.path) ? 'page' : undefined}
                className={`${LINK} h-7 pl-3.5`}
              >
                {page.label}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}
