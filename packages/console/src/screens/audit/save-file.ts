/** Saves text as a file of this computer. */
export function saveFile(name: string, parts: readonly string[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by the next task, and no page needs the address after that.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
