import { type ReactElement, type ReactNode, useId } from 'react'
import { linkElement } from './link-element.tsx'
import { moveFocus } from './move-focus.ts'

export interface TabItem<V extends string> {
  value: V
  label: ReactNode
  icon?: ReactNode
  count?: number | undefined
  /** Counting stopped before the end: "10,000+". */
  isCountOpen?: boolean | undefined
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
  /** The content of the chosen tab. Tabs that are links have none. */
  children?: ReactNode
}

const LIST = 'flex gap-5 overflow-x-auto border-b border-line'
const TAB =
  'inline-flex shrink-0 items-center gap-1.5 border-0 border-b-2 border-transparent bg-transparent py-2.25 font-medium whitespace-nowrap text-ink-2 no-underline hover:text-ink hover:no-underline focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink aria-selected:border-accent aria-selected:text-ink forced-colors:border-[Canvas] forced-colors:aria-[current=page]:border-[Highlight] forced-colors:aria-selected:border-[Highlight]'

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
    <ButtonTabs {...{ value, items, label }} onChange={(next) => onChange?.(next)}>
      {children}
    </ButtonTabs>
  )
}

/** Tabs that show parts of one page. Arrow keys choose the next one. */
function ButtonTabs<V extends string>(props: TabsProps<V> & { onChange: (value: V) => void }) {
  const { value, onChange, items, label, children } = props
  const id = useId()
  return (
    <div>
      <div
        aria-label={label}
        className={LIST}
        onKeyDown={(event) => moveFocus(event, '[role=tab]')}
        role="tablist"
      >
        {items.map((item) => (
          <button
            aria-controls={item.value === value ? `${id}-panel` : undefined}
            aria-selected={item.value === value}
            className={TAB}
            id={`${id}-${item.value}`}
            key={item.value}
            onClick={() => onChange(item.value)}
            onFocus={() => {
              if (item.value !== value) onChange(item.value)
            }}
            role="tab"
            tabIndex={item.value === value ? 0 : -1}
            type="button"
          >
            <Inside item={item} />
          </button>
        ))}
      </div>
      <div
        aria-labelledby={`${id}-${value}`}
        className="outline-offset-2"
        id={`${id}-panel`}
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls must be reached too
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  )
}

function LinkTab<V extends string>({ item, current }: { item: TabItem<V>; current: boolean }) {
  return linkElement(item.render, item.href, <Inside item={item} />, {
    className: TAB,
    'aria-current': current ? 'page' : undefined,
  })
}

function Inside<V extends string>({ item }: { item: TabItem<V> }) {
  return (
    <>
      {item.icon}
      {item.label}
      {item.count !== undefined && (
        <span className="font-regular text-ink-3">
          {item.count.toLocaleString('en')}
          {item.isCountOpen ? '+' : ''}
        </span>
      )}
    </>
  )
}
