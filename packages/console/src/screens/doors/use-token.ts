import { useEffect, useState } from 'react'

const TOKEN = /^#([A-Za-z0-9_-]{43})$/

/**
 * Reads the token behind `#`, and takes it out of the address, so that neither the history nor a
 * shared screen keeps it. A link that is pasted into an open page only changes that part.
 */
export function useToken(): string | undefined {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    const take = () => {
      const found = readToken()
      if (found === undefined) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

function readToken(): string | undefined {
  return TOKEN.exec(location.hash)?.[1]
}
