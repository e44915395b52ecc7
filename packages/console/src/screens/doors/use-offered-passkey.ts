import { useEffect, useRef } from 'react'
import { signWithPasskey } from '../../data/passkeys.ts'

/** The gateway accepts a challenge for five minutes, so the offer is made again before that. */
const RENEW_MS = 4 * 60_000

interface Outcome {
  /** The person has chosen a passkey, and the gateway is being asked: the offer must be off now. */
  readonly onChosen: () => void
  readonly onSignedIn: () => Promise<void>
  readonly onRefused: (error: unknown) => void
}

/**
 * Offers the passkeys of this browser in the e-mail field, where the browser can do that. A browser
 * has one request for a passkey at a time, so the offer is off while a different attempt runs.
 */
export function useOfferedPasskey(isOn: boolean, outcome: Outcome): void {
  const latest = useRef(outcome)
  useEffect(() => {
    latest.current = outcome
  })
  useEffect(() => {
    if (!isOn) return undefined
    let ending = new AbortController()
    const renew = () => {
      ending.abort()
      ending = new AbortController()
      void offer(ending.signal, latest.current)
    }
    renew()
    const timer = setInterval(renew, RENEW_MS)
    return () => {
      clearInterval(timer)
      ending.abort()
    }
  }, [isOn])
}

async function offer(signal: AbortSignal, outcome: Outcome): Promise<void> {
  let isChosen = false
  const onChosen = () => {
    isChosen = true
    outcome.onChosen()
  }
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || signal.aborted) return
    await signWithPasskey(true, { signal, onChosen })
    await outcome.onSignedIn()
  } catch (error) {
    // A person who never chooses one has the form for that.
    if (isChosen) outcome.onRefused(error)
  }
}
