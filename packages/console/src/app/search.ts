/** The search part of an address as plain texts: `?agent=…&status=held`. */
export type Search = Readonly<Record<string, string>>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

let onDropped: (count: number) => void = () => {}

/** Called when an address has filters that its screen does not know, such as that of an old link. */
export function watchDropped(listener: (count: number) => void): void {
  onDropped = listener
}

/** Keeps the parameters that the screen knows. */
export function known<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): { [N in Name]?: string } => {
    const entries = Object.entries(search)
    const kept = entries.filter(([name]) => names.includes(name as Name))
    if (kept.length < entries.length) onDropped(entries.length - kept.length)
    return Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) as {
      [N in Name]?: string
    }
  }
}
