// Runs before the first paint, as a classic script: see vite/theme-script.ts. It must not import.
const KEY = 'purser.theme'
const DENSITY_KEY = 'purser.density'
const dark = matchMedia('(prefers-color-scheme: dark)')

function apply(): void {
  let chosen: string | null = null
  let density: string | null = null
  try {
    chosen = localStorage.getItem(KEY)
    density = localStorage.getItem(DENSITY_KEY)
  } catch {
    // A browser that blocks storage follows the system.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  document.documentElement.dataset['density'] = density === 'compact' ? 'compact' : 'normal'
}

/** Buttons fade when they are pointed at. In a new theme, light ones would stand on a dark page. */
function change(): void {
  const root = document.documentElement
  root.dataset['still'] = ''
  apply()
  requestAnimationFrame(() => requestAnimationFrame(() => delete root.dataset['still']))
}

apply()
dark.addEventListener('change', change)
// A different tab has chosen; this tab announces its own choice with the same event.
addEventListener('storage', change)

export {}
