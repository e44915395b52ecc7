/**
 * Popups lie above dialogs, because a dialog holds fields with popups of their own. Toasts lie above
 * both.
 */
export const POPUP_LAYER = 'z-(--z-palette) outline-none'

export const POPUP_MOTION =
  'transition-opacity duration-(--m-fast) ease-standard data-ending-style:opacity-0 data-starting-style:opacity-0'

/** A list of choices: menu, select, combobox. */
export const LIST_POPUP = `max-h-(--available-height) max-w-(--available-width) overflow-y-auto overscroll-contain rounded-3 border border-line bg-raised p-1 text-ink shadow-2 outline-none ${POPUP_MOTION}`

export const LIST_ITEM =
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-2 px-2 py-1.5 outline-none data-highlighted:bg-selected data-disabled:text-ink-off pointer-coarse:min-h-11 forced-colors:data-highlighted:bg-[Highlight] forced-colors:data-highlighted:text-[HighlightText] forced-colors:data-highlighted:forced-color-adjust-none'

/**
 * Popups are at the end of the page, outside its landmarks. While one is open it is a landmark of
 * its own, so that everything on the page belongs to one.
 */
export function portalLandmark(name: string) {
  return { role: 'region', 'aria-label': name } as const
}
