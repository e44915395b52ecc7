import type { AnchorHTMLAttributes, MouseEvent, Ref, SyntheticEvent } from 'react'
import { hrefOf } from './address.ts'
import type { Move } from './router.ts'
import { useRouter, useShown } from './use-router.ts'

/** How long a pointer rests on a link before its page loads. */
const INTENT_MS = 50

type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

export interface LinkProps extends Move, Anchor {
  readonly to: string
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A link to a page of the console. Its page loads when a person reaches for it. */
export function Link({ to, params, search, replace, resetScroll, ...rest }: LinkProps) {
  const router = useRouter()
  const target = { to, params, search }
  const href = useShown((shown) => hrefOf(target, shown ?? router.newest()))
  const prepare = () => router.prepare(href)
  return (
    <a
      {...rest}
      href={href}
      onClick={both(rest.onClick, (event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        void router.navigate({ ...target, replace, resetScroll })
      })}
      onFocus={both(rest.onFocus, prepare)}
      onTouchStart={both(rest.onTouchStart, prepare)}
      onMouseEnter={both(rest.onMouseEnter, ({ currentTarget }) => {
        const timer = setTimeout(prepare, INTENT_MS)
        currentTarget.addEventListener('mouseleave', () => clearTimeout(timer), { once: true })
      })}
    />
  )
}

/** The page's own handler first. It can keep the link from acting. */
function both<E extends SyntheticEvent>(
  first: ((event: E) => void) | undefined,
  second: (event: E) => void,
): (event: E) => void {
  return (event) => {
    first?.(event)
    if (!event.defaultPrevented) second(event)
  }
}

/** A press that a browser would follow in the same tab. */
function isPlain(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target, download } = event.currentTarget
  const isHere = (target === '' || target === '_self') && download === ''
  const isBare = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  return event.button === 0 && isHere && isBare
}
