import { useEffect } from 'react'

/**
 * Names the object and its state: "Rejected: 297.00 USD at sas.se · Purser". A page that does not know
 * the object of its drawer leaves the title to the drawer.
 */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Purser`
  }, [title])
}
