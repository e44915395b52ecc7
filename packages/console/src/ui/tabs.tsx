import { Tabs as Base } from '@base-ui/react/tabs'
import { useRender } from '@base-ui/react/use-render'
import type { ReactElement, ReactNode } from 'react'
import { linkElement } from './link-element.tsx'

export interface TabItem<V extends string> {
  value: V
  label: ReactNode
  icon?: ReactNode
  count?: number | undefined
  /** A tab that is a page of its own is a link. Give all tabs one of these, or none. */
  href?: string | undefined
  /** A link of the router in place of `href`. */
  render?: ReactElement | undefined
}

export interface TabsProps<V extends string> {
  value: V
  onChange?: ((value: V) => void) | undefined
  items: readonly TabItem<V>[]
  label: string
  /** What the chosen tab shows. Tabs that are links have none. */
  children?: ReactNode
}

const LIST = 'flex gap-5 overflow-x-auto border-b border-line'
const TAB =
  'inline-flex shrink-0 items-center gap-1.5 border-0 border-b-2 border-transparent bg-transparent py-2.25 font-medium whitespace-nowrap text-ink-2 no-underline hover:text-ink hover:no-underline focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink data-active:border-accent data-active:text-ink forced-colors:border-[Canvas] forced-colors:aria-[current=page]:border-[Highlight] forced-colors:data-active:border-[Highlight]'

export function Tabs<V extends string>({ value, onChange, items, label, children }: TabsProps<V>) {
  if (items.some((item) => item.href !== undefined || item.render !== undefined)) {
    return (
      <nav aria-label={label} className={LIST}>
        {items.map((item) => (
          <LinkTab current={item.value === value} item={item} key={item.value} />
        ))}
      </nav>
    )
  }
  return (
    <Base.Root onValueChange={(next) => onChange?.(next as V)} value={value}>
      <Base.List activateOnFocus aria-label={label} className={LIST}>
        {items.map((item) => (
          <Base.Tab className={TAB} key={item.value} value={item.value}>
            <Inside item={item} />
          </Base.Tab>
        ))}
      </Base.List>
      {items.map((item) => (
        <Base.Panel className="outline-offset-2" key={item.value} value={item.value}>
          {item.value === value && children}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

function LinkTab<V extends string>({ item, current }: { item: TabItem<V>; current: boolean }) {
  return useRender({
    render: linkElement(item.render, item.href, <Inside item={item} />),
    props: { className: TAB, 'aria-current': current ? 'page' : undefined },
  })
}

function Inside<V extends string>({ item }: { item: TabItem<V> }) {
  return (
    <>
      {item.icon}
      {item.label}
      {item.count !== undefined && (
        <span className="font-regular text-ink-3">{item.count.toLocaleString('en')}</span>
      )}
    </>
  )
}
