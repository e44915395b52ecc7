import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Bot,
  FlaskConical,
  KeyRound,
  List,
  type LucideIcon,
  Moon,
  Pencil,
  Plus,
  Power,
  ReceiptText,
  ScrollText,
  Sun,
} from 'lucide-react'
import { queries } from '../data/queries.ts'
import { PLACES } from '../places/places.ts'
import { useRouter } from '../router/use-router.ts'
import { useTheme } from '../theme/use-theme.ts'
import { placeOfId } from '../words/ids.ts'
import { recentCommands } from './recent-commands.ts'

/** Something the palette can open or do. Dangerous actions open their dialog and never act. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly note?: string
  readonly icon: LucideIcon
  readonly keys?: string
  readonly href?: string
  readonly run?: () => void
  /** The actions for the found thing. */
  readonly actions?: readonly Command[]
}

interface CommandGroup {
  readonly label: string
  readonly commands: readonly Command[]
}

const FOUND_MAX = 8
const RECENT_MAX = 5

/** The things that the text finds, or the actions for the chosen thing. */
export function usePaletteCommands(text: string, subject: Command | null): readonly CommandGroup[] {
  const things = useThings()
  const actions = useActions()
  const places = usePlaces()
  const query = text.trim().toLowerCase()
  if (subject) {
    const found = (subject.actions ?? []).filter((one) => matches(one, query))
    return withoutEmpty([{ label: `Do with ${subject.label}`, commands: found }])
  }
  const all = [...things, ...actions, ...places]
  if (query === '') {
    const recent = recentCommands()
      .map((id) => all.find((one) => one.id === id))
      .filter((one) => one !== undefined)
      .slice(0, RECENT_MAX)
    return withoutEmpty([
      { label: 'Recent', commands: recent },
      { label: 'Do', commands: actions },
      { label: 'Go to', commands: places },
    ])
  }
  return withoutEmpty([
    {
      label: 'Found',
      commands: [...byId(text.trim()), ...find(things, query)].slice(0, FOUND_MAX),
    },
    { label: 'Do', commands: find(actions, query) },
    { label: 'Go to', commands: find(places, query) },
  ])
}

function useThings(): readonly Command[] {
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const { data: mandates } = useQuery(queries.mandates())
  return [
    ...(agents?.data ?? []).map(
      ({ id, name }): Command => ({
        ...{ id: `agent-${id}`, label: name, note: 'Agent', icon: Bot, href: `/agents/${id}` },
        actions: [
          { id: 'spends', label: 'See its spends', icon: List, href: `/transactions?agent=${id}` },
          { id: 'try', label: 'Try a spend', icon: FlaskConical, href: `/simulator?agent=${id}` },
          {
            id: 'key',
            label: 'Create a key for it',
            icon: KeyRound,
            href: `/keys/new?agent=${id}`,
          },
        ],
      }),
    ),
    ...(mandates?.data ?? []).map(
      ({ id, name }): Command => ({
        ...{ id: `mandate-${id}`, label: name, note: 'Mandate', icon: ReceiptText },
        href: `/mandates/${id}`,
        actions: [
          { id: 'edit', label: 'Edit', icon: Pencil, href: `/mandates/${id}/edit` },
          {
            id: 'spends',
            label: 'See its spends',
            icon: List,
            href: `/transactions?mandate=${id}`,
          },
          { id: 'versions', label: 'Versions', icon: ScrollText, href: `/mandates/${id}/versions` },
        ],
      }),
    ),
  ]
}

function useActions(): readonly Command[] {
  const [, setTheme] = useTheme()
  return [
    { id: 'new-agent', label: 'Register an agent', icon: Plus, href: '/agents?new=1' },
    { id: 'new-mandate', label: 'New mandate', icon: Plus, href: '/mandates/new' },
    { id: 'new-key', label: 'Create an API key', icon: KeyRound, href: '/keys/new' },
    { id: 'try', label: 'Try a spend', icon: FlaskConical, href: '/simulator' },
    {
      ...{ id: 'freeze', label: 'Freeze all spending…', icon: Power },
      href: '/settings/organization?freeze=1',
    },
    { id: 'dark', label: 'Dark theme', icon: Moon, run: () => setTheme('dark') },
    { id: 'light', label: 'Light theme', icon: Sun, run: () => setTheme('light') },
  ]
}

function usePlaces(): readonly Command[] {
  const router = useRouter()
  return PLACES.flatMap(({ places }) =>
    places.map(
      ({ path, label, icon, key }): Command => ({
        ...{ id: `go-${path}`, label, icon, keys: `g ${key}` },
        run: () => void router.navigate({ to: path }),
      }),
    ),
  )
}

/** A pasted id opens its object directly. */
function byId(text: string): readonly Command[] {
  const href = placeOfId(text)
  return href ? [{ id: 'id', label: `Open ${text}`, icon: ArrowRight, href }] : []
}

function find(commands: readonly Command[], query: string): readonly Command[] {
  return commands.filter((one) => matches(one, query))
}

function matches({ label }: Command, query: string): boolean {
  const words = label.toLowerCase()
  return query.split(/\s+/).every((part) => words.includes(part))
}

function withoutEmpty(groups: readonly CommandGroup[]): readonly CommandGroup[] {
  return groups.filter(({ commands }) => commands.length > 0)
}
