import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { Menu as MenuPart } from './menu.tsx'

const load = () => import('./menu.tsx')
const Menu = lazy(() => load().then((it) => ({ default: it.Menu })))

/**
 * A menu whose code loads when it is needed, for menus that are rarely opened, such as those of the
 * rail on every page. Until the first press the trigger is a plain button.
 */
export function LazyMenu({
  trigger,
  items,
  label,
}: Pick<ComponentProps<typeof MenuPart>, 'trigger' | 'items' | 'label'>) {
  const [isWanted, setIsWanted] = useState(false)
  if (isWanted) {
    return (
      <Suspense fallback={trigger}>
        <Menu trigger={trigger} items={items} label={label} defaultOpen />
      </Suspense>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the press belongs to the button inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: a button turns its keys into a click
    <span
      className="contents"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setIsWanted(true)}
    >
      {trigger}
    </span>
  )
}
