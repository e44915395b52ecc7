import { Menu as Base } from '@base-ui/react/menu'
import { Lock } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import { linkElement } from './link-element.tsx'
import { LIST_ITEM, LIST_POPUP, POPUP_LAYER, portalLandmark } from './popup-classes.ts'
import { ShownGuards } from './shown-guards.tsx'

export interface MenuAction {
  label: ReactNode
  icon?: ReactNode
  onSelect?: (() => void) | undefined
  href?: string | undefined
  /** A link of the router in place of `href`. */
  render?: ReactElement | undefined
  danger?: boolean | undefined
  /** Who may do this. The item stays in the list and says it. */
  disabledReason?: string | undefined
  kbd?: readonly string[] | undefined
}

export type MenuItem = MenuAction | 'separator'

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement
  items: readonly MenuItem[]
  align?: 'start' | 'end' | undefined
  label?: string | undefined
}

/** The open menu. It opens as it comes, because its code loads after the press. */
export function MenuPanel({ trigger, items, align = 'end', label }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal {...portalLandmark(label ?? 'Menu')}>
        <Base.Positioner align={align} className={POPUP_LAYER} collisionPadding={8} sideOffset={4}>
          <Base.Popup aria-label={label} className={`${LIST_POPUP} min-w-48`}>
            <ShownGuards />
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu do not move.
              <Entry item={item} key={index} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Entry({ item }: { item: MenuItem }) {
  if (item === 'separator') return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
  const { disabledReason, href, render, danger, onSelect } = item
  const className = cx(LIST_ITEM, danger && 'text-no')
  if (disabledReason !== undefined) {
    return (
      <Base.Item className={LIST_ITEM} disabled>
        <Inside item={item} />
      </Base.Item>
    )
  }
  if (href !== undefined || render !== undefined) {
    return (
      <Base.LinkItem
        className={`${className} text-ink no-underline hover:no-underline`}
        closeOnClick
        render={linkElement(render, href, <Inside item={item} />)}
      />
    )
  }
  return (
    <Base.Item className={className} onClick={() => onSelect?.()}>
      <Inside item={item} />
    </Base.Item>
  )
}

function Inside({ item }: { item: MenuAction }) {
  const isOff = item.disabledReason !== undefined
  return (
    <>
      <span
        className={cx(
          'grid w-4 shrink-0 place-items-center',
          !item.danger && !isOff && 'text-ink-2',
        )}
      >
        {isOff ? <Lock aria-hidden="true" size={14} /> : item.icon}
      </span>
      <span className="min-w-0 flex-1">
        {item.label}
        {isOff && <span className="block text-small text-ink-3">{item.disabledReason}</span>}
      </span>
      {item.kbd && (
        <span aria-hidden="true" className="ml-4 hidden gap-1 tablet:flex">
          {item.kbd.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </>
  )
}
