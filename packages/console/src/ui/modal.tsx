import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useEscape } from './use-escape.ts'

interface ModalProps {
  onClose: () => void
  /** Finds the element that gets the focus in the layer. */
  firstFocus: (layer: HTMLElement) => HTMLElement | null | undefined
  /** A press beside the content closes nothing. */
  keepsOpen?: boolean | undefined
  /** Of the layer, which fills the window. */
  className: string
  children: ReactNode
}

/** The layers that are open, the uppermost last. */
const layers: HTMLElement[] = []

/**
 * A layer over the page. The page under it is inert, so neither the focus nor a screen reader leaves
 * the layer. Popups that open from the layer come after it in the document, and stay in use. When the
 * layer closes, the focus returns to where it was.
 */
export function Modal(props: ModalProps) {
  const { onClose, firstFocus, keepsOpen = false, className, children } = props
  const layer = useRef<HTMLDivElement>(null)
  // A field in the layer may take the focus by itself, so this is read before.
  const [before] = useState(placesToReturn)
  const [focusFirst] = useState(() => firstFocus)
  const pressed = useRef<EventTarget>(null)
  useEscape(onClose)
  useLayoutEffect(() => {
    const element = layer.current
    if (!element) return
    layers.push(element)
    returns.set(element, before)
    markInert()
    if (!element.contains(document.activeElement)) focusFirst(element)?.focus()
    return () => {
      layers.splice(layers.indexOf(element), 1)
      markInert()
      before.find((one) => one.isConnected)?.focus()
    }
  }, [before, focusFirst])
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape does the same for the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same for the keyboard
    <div
      className={className}
      data-modal=""
      onClick={({ target, currentTarget }) => {
        // A press that began inside, such as a selection of text, closes nothing.
        const isBeside = target === currentTarget && pressed.current === currentTarget
        if (isBeside && !keepsOpen) onClose()
      }}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      ref={layer}
    >
      {children}
    </div>,
    document.body,
  )
}

/** Where the focus goes when a layer closes: to the first of these that is still there. */
const returns = new WeakMap<Element, readonly HTMLElement[]>()

/**
 * The element with the focus, and for one that may go away with its menu or its own layer, the place
 * from which that was opened.
 */
function placesToReturn(): readonly HTMLElement[] {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement)) return []
  const menu = activeElement.closest('[role="menu"]')
  const button = menu && document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`)
  const under = (button ?? activeElement).closest('[data-modal]')
  return [button ?? activeElement, ...((under && returns.get(under)) ?? [])]
}

/** Makes the page behind the top layer inert. Elements with `data-above-modals` stay in use. */
function markInert(): void {
  const top = layers.at(-1)
  for (const one of document.body.children) {
    if (!(one instanceof HTMLElement) || 'aboveModals' in one.dataset) continue
    one.inert = top !== undefined && isBefore(one, top)
  }
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

const CHOSEN = [
  ...['input:not([type="radio"], :disabled)', 'input[type="radio"]:checked:enabled'],
  ...['select:enabled', 'textarea:enabled', 'button:enabled', 'a[href]'],
].join(', ')

/** The first element in reading order that the keyboard can reach. */
export function firstControl(
  layer: HTMLElement,
  wanted?: RefObject<HTMLElement | null>,
): HTMLElement | null {
  return wanted?.current ?? layer.querySelector<HTMLElement>(CHOSEN)
}
