import { useEffect } from 'react'

/** Names the object and its state: "Rejected: 297.00 USD at sas.se · Purser". */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Purser`
  }, [title])
}
