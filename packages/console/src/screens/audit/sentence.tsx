import {
  ArrowLeftRight,
  Bot,
  Building2,
  Check,
  CreditCard,
  KeyRound,
  LogIn,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  ReceiptText,
  Send,
  ShieldCheck,
  Store,
  Trash2,
  TriangleAlert,
  Undo2,
  UserRound,
  UsersRound,
  Wallet,
  X,
} from 'lucide-react'
import { Fragment } from 'react'
import { showControls } from '../../parts/quoted.tsx'
import type { LeafIcon as Name, Piece } from '../../words/leaf/pieces.ts'

const ICONS: Readonly<Record<Name, LucideIcon>> = {
  spent: Check,
  rejected: X,
  held: ArrowLeftRight,
  back: Undo2,
  warning: TriangleAlert,
  person: UserRound,
  edit: Pencil,
  agent: Bot,
  mandate: ReceiptText,
  key: KeyRound,
  vendor: Store,
  wallet: Wallet,
  card: CreditCard,
  webhook: Send,
  members: UsersRound,
  sign_in: LogIn,
  log: ShieldCheck,
  paused: Pause,
  resumed: Play,
  removed: Trash2,
  organization: Building2,
}

export function LeafIcon({ name }: { readonly name: Name }) {
  const Icon = ICONS[name]
  return <Icon aria-hidden size={14} strokeWidth={1.5} className="flex-none text-ink-3" />
}

/** The pieces of a sentence: names are bold, words of people are quotations. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence do not move.
    <Fragment key={index}>
      <OnePiece piece={piece} />
    </Fragment>
  ))
}

function OnePiece({ piece }: { readonly piece: Piece }) {
  if (typeof piece === 'string') return showControls(piece)
  if ('quote' in piece) {
    return (
      <>
        “<bdi>{showControls(piece.quote)}</bdi>”
      </>
    )
  }
  return <bdi className="font-strong">{showControls(piece.strong)}</bdi>
}
