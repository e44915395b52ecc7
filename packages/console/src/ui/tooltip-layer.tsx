import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { hideTip, keepTip, readTip, TIP_ID, type Tip, watchTip } from './tooltip-store.ts'

const GAP = 6
const EDGE = 8

/** Shows the tooltip in the top layer of the browser, above dialogs. */
export function TooltipLayer() {
  const tip = useSyncExternalStore(watchTip, readTip)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hideTip(0)
    }
    const onScroll = () => hideTip(0)
    // An element that leaves the page gets no event of its own.
    const onMove = () => {
      if (readTip()?.anchor.isConnected === false) hideTip(0)
    }
    addEventListener('keydown', onKey, true)
    addEventListener('scroll', onScroll, true)
    addEventListener('focusin', onMove)
    addEventListener('pointerover', onMove)
    return () => {
      removeEventListener('keydown', onKey, true)
      removeEventListener('scroll', onScroll, true)
      removeEventListener('focusin', onMove)
      removeEventListener('pointerover', onMove)
    }
  }, [])
  return tip ? <Shown tip={tip} /> : null
}

function Shown({ tip }: { readonly tip: Tip }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = ref
    if (!current || !tip.anchor.isConnected) return
    current.showPopover?.()
    const { left, top } = placeOf(tip, current)
    current.style.left = `${left}px`
    current.style.top = `${top}px`
    if (!tip.anchor.hasAttribute('aria-describedby')) {
      tip.anchor.setAttribute('aria-describedby', TIP_ID)
    }
  }, [tip])
  return (
    <div
      ref={ref}
      id={TIP_ID}
      role="tooltip"
      popover="manual"
      onPointerEnter={keepTip}
      onPointerLeave={() => hideTip()}
      className="fixed inset-auto m-0 max-w-70 rounded-2 border border-line bg-raised px-2.5 py-1.5 text-small text-ink shadow-2"
    >
      {tip.content}
    </div>
  )
}

/** Beside the anchor, turned to the other side at the edge of the window. */
function placeOf({ anchor, side }: Tip, popup: HTMLElement): { left: number; top: number } {
  const at = anchor.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  const isBeside = side === 'left' || side === 'right'
  const before = isBeside ? at.left - width - GAP : at.top - height - GAP
  const after = isBeside ? at.right + GAP : at.bottom + GAP
  const room = (isBeside ? innerWidth - width : innerHeight - height) - EDGE
  const wantsBefore = side === 'top' || side === 'left'
  const along = wantsBefore ? (before >= EDGE ? before : after) : after <= room ? after : before
  const middle = isBeside
    ? clamp(at.top + (at.height - height) / 2, innerHeight - height)
    : clamp(at.left + (at.width - width) / 2, innerWidth - width)
  return isBeside ? { left: along, top: middle } : { left: middle, top: along }
}

function clamp(value: number, most: number): number {
  return Math.max(EDGE, Math.min(value, most - EDGE))
}
