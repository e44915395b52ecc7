const KEY = 'purser.recent'
const MOST = 10

/** The ids of the last commands, newest first. They stay in this browser. */
export function recentCommands(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function rememberCommand({ id }: { readonly id: string }): void {
  const ids = [id, ...recentCommands().filter((one) => one !== id)].slice(0, MOST)
  localStorage.setItem(KEY, JSON.stringify(ids))
}
