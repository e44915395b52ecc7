import { useEffect, useState } from 'react'

const TOKEN = /^#([A-Za-z0-9_-]{43})$/

/**
 * Reads the token behind `#` once, and takes it out of the address, so that neither the history nor
 * a shared screen keeps it.
 */
export function useToken(): string | undefined {
  const [token] = useState(() => TOKEN.exec(location.hash)?.[1])
  useEffect(() => {
    if (token) history.replaceState(history.state, '', location.pathname)
  }, [token])
  return token
}
