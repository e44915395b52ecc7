import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { currentToasts, removeToast, subscribeToasts, type ToastItem } from './toast-store.ts'

export { toast } from './toast-store.ts'

export function ToastProvider({ children }: { children: ReactNode }) {
  const items = useSyncExternalStore(subscribeToasts, currentToasts)
  return (
    <>
      {children}
      {/* The region is there from the start: readers announce what is added to one that they know. */}
      {createPortal(
        <div
          data-above-modals=""
          className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-(--z-toast) flex flex-col items-center gap-2 max-tablet:bottom-18"
          data-print="none"
          role="status"
        >
          {items.map((item) => (
            <ToastCard item={item} key={item.id} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

function ToastCard({ item }: { item: ToastItem }) {
  const [isHeld, setHeld] = useState(false)
  const { id, ms, undo } = item
  const before = useRef<EventTarget | null>(null)
  useEffect(() => {
    // A person who reads or reaches for Undo is not rushed: the time begins again afterwards.
    if (isHeld) return
    const timer = setTimeout(() => removeToast(id), ms)
    return () => clearTimeout(timer)
  }, [id, ms, isHeld])
  function close() {
    // The button that was pressed goes away, so the focus returns to where it came from.
    if (before.current instanceof HTMLElement) before.current.focus()
    removeToast(id)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only stop the clock.
    <div
      className="pointer-events-auto flex max-w-full items-center gap-2.5 rounded-3 border border-transparent bg-navy py-1.5 pr-1.5 pl-3 text-on-navy shadow-3 transition-[opacity,translate] duration-(--m-base) ease-standard starting:translate-y-2 starting:opacity-0"
      onBlur={() => setHeld(false)}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget
        setHeld(true)
      }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Check aria-hidden="true" className="shrink-0 opacity-70" size={14} />
      <span className="min-w-0 py-1">{item.text}</span>
      {undo && (
        <button
          className="min-h-7 rounded-2 px-2.5 font-strong underline underline-offset-2 hover:bg-on-navy/15 focus-visible:outline-current pointer-coarse:min-h-11"
          onClick={() => {
            undo()
            close()
          }}
          type="button"
        >
          Undo
        </button>
      )}
      <button
        aria-label="Close"
        className="grid size-7 shrink-0 place-items-center rounded-2 opacity-70 hover:bg-on-navy/15 hover:opacity-100 focus-visible:outline-current pointer-coarse:size-11"
        onClick={close}
        type="button"
      >
        <X aria-hidden="true" size={14} />
      </button>
    </div>
  )
}
