import {
  cloneElement,
  type HTMLAttributes,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { cx } from './cx.ts'

type Shared = HTMLAttributes<HTMLElement> & { readonly ref?: unknown }

/**
 * A link of the page or of the router, with the given inside in place of its own. The attributes are
 * added to its own ones: both class names hold, and both handlers of a click run.
 */
export function linkElement(
  render: ReactElement | undefined,
  href: string | undefined,
  inside: ReactNode,
  { className, onClick, ...rest }: Shared = {},
): ReactElement {
  const link = (render ?? <a href={href}>{inside}</a>) as ReactElement<Shared>
  const own = link.props
  const both = (event: MouseEvent<HTMLElement>) => {
    own.onClick?.(event)
    onClick?.(event)
  }
  return cloneElement(
    link,
    {
      ...rest,
      ...(className === undefined ? {} : { className: cx(own.className, className) }),
      ...(onClick ? { onClick: both } : {}),
    },
    inside,
  )
}
