/** The row that `focusRow` waits for: it is drawn in one of the next frames. */
let coming: string | undefined

/** The row that the keyboard stands on. Quick presses are faster than the frames. */
export function focusedRow(): string | undefined {
  return coming ?? document.activeElement?.getAttribute('data-row') ?? undefined
}

/** Focuses the link of a row: at once, so that Enter can follow, or when the row is drawn. */
export function focusRow(id: string, tries = 4): void {
  const link = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
  coming = link || tries === 0 ? undefined : id
  if (link) link.focus({ preventScroll: true })
  else if (tries > 0) {
    requestAnimationFrame(() => {
      if (coming === id) focusRow(id, tries - 1)
    })
  }
}
