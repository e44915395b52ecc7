import { useState } from 'react'
import { later, useLater } from './later.ts'
import type { MenuProps } from './menu-panel.tsx'
import { PopupTrigger } from './popup-trigger.tsx'

export type { MenuItem } from './menu-panel.tsx'

const panel = later(() => import('./menu-panel.tsx'))

/** A menu. Its code loads when a person reaches for it. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const part = useLater(panel, isWanted)
  if (part) return <part.MenuPanel {...props} />
  return (
    <PopupTrigger
      isWaiting={isWanted}
      kind="menu"
      onOpen={() => setWanted(true)}
      part={panel}
      trigger={props.trigger}
    />
  )
}
