import type { PurserError } from '@purser/sdk'
import { useEffect, useRef } from 'react'
import { signWithPasskey } from '../../data/passkeys.ts'
import { asPurserError } from '../../data/use-action.ts'

/** The gateway accepts a challenge for five minutes, so the offer is made again before that. */
const RENEW_MS = 4 * 60_000

interface Outcome {
  readonly onSignedIn: () => Promise<void>
  /** The gateway refused the passkey that the person chose. */
  readonly onRefused: (error: PurserError) => void
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
      void offer(ending.signal, latest.current).then((isUsed) => {
        if (isUsed && !ending.signal.aborted) renew()
      })
    }
    renew()
    const timer = setInterval(renew, RENEW_MS)
    return () => {
      clearInterval(timer)
      ending.abort()
    }
  }, [isOn])
}

/** Resolves with true if a passkey was used and refused: then a new offer needs a new challenge. */
async function offer(signal: AbortSignal, { onSignedIn, onRefused }: Outcome): Promise<boolean> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || signal.aborted) {
      return false
    }
    await signWithPasskey(true, signal)
    await onSignedIn()
    return false
  } catch (failure) {
    const error = asPurserError(failure)
    // The person may never choose one: the form is there for that.
    if (error?.code !== 'wrong_credentials' || signal.aborted) return false
    onRefused(error)
    return true
  }
}
