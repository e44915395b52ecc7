import { createAddressJudge, type OutboundPolicy, toAddress } from './addresses.ts'
import { type Destination, type Refusal, toDestination } from './destination.ts'
import type { Resolve } from './resolver.ts'

export type Vetted =
  | {
      readonly kind: 'allowed'
      readonly destination: Destination
      /** At least one address, and connections to each are allowed. */
      readonly addresses: readonly string[]
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unresolved'; readonly hostname: string; readonly error: unknown }

type Vet = (url: string, deadline: AbortSignal) => Promise<Vetted>

/** Judges a URL and all its current addresses. It queries the resolver at most once. */
export function createVet(policy: OutboundPolicy, resolve: Resolve): Vet {
  const judge = createAddressJudge(policy)
  const permitsAny = policy.allowLoopback || policy.allowedNetworks.length > 0

  /**
   * One bad address is enough to refuse the destination. A name with both a public and a private
   * address is an attack or a mistake, and chance must not decide which of them is called.
   */
  function judgeAll(destination: Destination, addresses: readonly string[]): Vetted {
    const standings = addresses.map(judge)
    const blocked = addresses[standings.indexOf('blocked')]
    if (blocked !== undefined) {
      return refused('address_refused', `leads to ${blocked}, which is not a public address`)
    }
    if (destination.demand !== undefined && standings.includes('public')) {
      return refused('url_refused', destination.demand)
    }
    return { kind: 'allowed', destination, addresses }
  }

  return async (url, deadline) => {
    const read = toDestination(url)
    if ('refusal' in read) return { kind: 'refused', refusal: read.refusal }
    const { destination } = read
    const { hostname, knownAddresses, demand } = destination
    // No address would be allowed, so the name is not resolved.
    if (demand !== undefined && !permitsAny) return refused('url_refused', demand)
    if (knownAddresses) return judgeAll(destination, knownAddresses)

    try {
      const answers = await beforeDeadline(resolve(hostname, deadline), deadline)
      if (answers.length === 0) return { kind: 'unresolved', hostname, error: undefined }
      // A text that is not an address stays in the list, and the judge blocks it.
      return judgeAll(
        destination,
        answers.map((answer) => toAddress(answer) ?? answer),
      )
    } catch (error) {
      return { kind: 'unresolved', hostname, error }
    }
  }
}

function refused(reason: Refusal['reason'], text: string): Vetted {
  return { kind: 'refused', refusal: { reason, text } }
}

/** The resolver should stop at the deadline, but we do not rely on it. */
function beforeDeadline<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('The deadline has passed.'))
    deadline.addEventListener('abort', giveUp)
    void work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp))
  })
}
