/** A key that does something on the page that is shown. */
export interface Shortcut {
  /** One key ("j", "Escape"), a combination ("mod+k"), or two keys in turn ("g t"). */
  readonly keys: string
  /** The action of the keys, for the list of shortcuts. */
  readonly label: string
  /** The heading under which the list shows it. */
  readonly group: string
  readonly run: (event: KeyboardEvent) => void
}

const OFF = 'purser.shortcuts'
/** How long the first of two keys waits for the second. */
const SEQUENCE_MS = 1_500

const shortcuts = new Set<Shortcut>()
const listeners = new Set<() => void>()
let first: { readonly key: string; readonly timer: ReturnType<typeof setTimeout> } | undefined

export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts.add(shortcut)
  return () => shortcuts.delete(shortcut)
}

/** The shortcuts of the page that is shown, the newest of each key last. */
export function listShortcuts(): readonly Shortcut[] {
  return [...new Map([...shortcuts].map((one) => [one.keys, one])).values()]
}

/** The key that waits for a second one, such as `g`. */
export function waitingKey(): string | undefined {
  return first?.key
}

export function watchWaitingKey(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shortcuts of one letter can be switched off (WCAG 2.1.4). */
export function areLettersOff(): boolean {
  return localStorage.getItem(OFF) === 'off'
}

export function switchLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'off')
}

export function listenForShortcuts(): () => void {
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = nameOf(event)
  const isPlain = !key.includes('+')
  if (isPlain && (isTyping(event.target) || isUnderDialog())) return
  if (key.length === 1 && areLettersOff()) return
  const pair = first && `${first.key} ${key}`
  setFirst(undefined)
  const found = find(pair) ?? find(key)
  if (found) {
    event.preventDefault()
    found.run(event)
  } else if ([...shortcuts].some(({ keys }) => keys.startsWith(`${key} `))) setFirst(key)
}

function find(keys: string | undefined): Shortcut | undefined {
  return keys === undefined ? undefined : [...shortcuts].findLast((one) => one.keys === keys)
}

function setFirst(key: string | undefined): void {
  if (first) clearTimeout(first.timer)
  first =
    key === undefined
      ? undefined
      : { key, timer: setTimeout(() => setFirst(undefined), SEQUENCE_MS) }
  for (const listener of listeners) listener()
}

/** "mod" is Ctrl, and Command on a Mac. */
function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${name}`
}

/** While a dialog is open, the keys of the page under it would act on things that no one sees. */
function isUnderDialog(): boolean {
  return document.querySelector('[data-dialog]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const role = target.getAttribute('role')
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'button'].includes(target.type)) ||
    role === 'listbox' ||
    role === 'combobox' ||
    role === 'menuitem'
  )
}
