import { countOf } from '../text.ts'
import { formatTime } from '../time.ts'
import { type Fields, type LeafNames, numberOf, type Piece, textOf } from './pieces.ts'

const METHODS: Readonly<Record<string, string>> = {
  password: ' with a password',
  passkey: ' with a passkey',
  recovery_code: ' with a recovery code',
}

/** Describes an event of an account, after the name of its owner. */
export function signInWords(kind: string, told: Fields, names: LeafNames): readonly Piece[] {
  const what = kind.split('.').at(-1)
  const addresses = Array.isArray(told['addresses']) ? told['addresses'].map(String) : []
  const from = addresses.length === 0 ? '' : ` from ${addresses.slice(0, 2).join(', ')}`
  const times = countOf(numberOf(told['number']) ?? 1, 'time')
  switch (what) {
    case 'succeeded':
      return [`signed in${METHODS[textOf(told['method']) ?? ''] ?? ''}${from}`]
    case 'failed':
      return [`failed to sign in ${times}${from}`]
    case 'locked':
      return [`was locked out${until(told['lockedUntil'], names)}${from}`]
    case 'refused':
      return [`was refused ${times}: too many attempts${from}`]
    default:
      return [`set a new password with a reset link${from}`]
  }
}

function until(at: unknown, { timezone }: LeafNames): string {
  const text = textOf(at)
  return text === undefined ? '' : ` until ${formatTime(new Date(text), timezone)}`
}
