import { useCallback } from 'react'

/**
 * Reads the last part of the address: the id in `/transactions/:id` for `/transactions`. Quick
 * presses are faster than the drawing, so each starts where the one before led, and none is lost.
 */
export function useNewestParam(folder: string): () => string | undefined {
  return useCallback(() => lastPart(location.pathname, folder), [folder])
}

/** Undefined for the folder itself, and for a page further down. */
export function lastPart(path: string, folder: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  const rest = path.slice(folder.length + 1)
  return rest === '' || rest.includes('/') ? undefined : decodeURIComponent(rest)
}
