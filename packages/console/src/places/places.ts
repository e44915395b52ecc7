import {
  BookOpen,
  Bot,
  CreditCard,
  FlaskConical,
  Gauge,
  Inbox,
  KeyRound,
  List,
  type LucideIcon,
  Plug,
  ReceiptText,
  Settings,
  ShieldCheck,
  Store,
  Wallet,
} from 'lucide-react'

/** A screen in the rail. Only screens that exist are listed. */
export interface Place {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The key after `g`. */
  readonly key: string
  /** Pages of the screen that the rail shows below it while it is open. */
  readonly pages?: readonly {
    readonly path: string
    readonly label: string
    readonly key?: string
  }[]
}

export interface PlaceGroup {
  readonly label: string
  readonly places: readonly Place[]
}

export const PLACES: readonly PlaceGroup[] = [
  {
    label: 'Watch',
    places: [
      { path: '/', label: 'Overview', icon: Gauge, key: 'o' },
      { path: '/transactions', label: 'Transactions', icon: List, key: 't' },
      { path: '/approvals', label: 'Approvals', icon: Inbox, key: 'a' },
    ],
  },
  {
    label: 'Govern',
    places: [
      { path: '/agents', label: 'Agents', icon: Bot, key: 'g' },
      { path: '/mandates', label: 'Mandates', icon: ReceiptText, key: 'm' },
      { path: '/simulator', label: 'Simulator', icon: FlaskConical, key: 's' },
      { path: '/vendors', label: 'Vendors', icon: Store, key: 'v' },
    ],
  },
  {
    label: 'Payment methods',
    places: [
      { path: '/wallets', label: 'Wallets', icon: Wallet, key: 'l' },
      { path: '/cards', label: 'Cards', icon: CreditCard, key: 'c' },
    ],
  },
  {
    label: 'Build',
    places: [
      { path: '/keys', label: 'API keys', icon: KeyRound, key: 'k' },
      { path: '/connect', label: 'Connect', icon: Plug, key: 'n' },
      { path: '/reference', label: 'API reference', icon: BookOpen, key: 'r' },
    ],
  },
  {
    label: 'Account',
    places: [
      { path: '/audit', label: 'Audit log', icon: ShieldCheck, key: 'u' },
      {
        path: '/settings',
        label: 'Settings',
        icon: Settings,
        key: 'i',
        pages: [
          { path: '/settings/organization', label: 'Organization' },
          { path: '/settings/webhook', label: 'Webhook', key: 'w' },
          { path: '/settings/members', label: 'Members' },
          { path: '/settings/me', label: 'You' },
        ],
      },
    ],
  },
]

/** Whether the address shows the place or a page below it. */
export function isAt(pathname: string, path: string): boolean {
  return path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)
}
