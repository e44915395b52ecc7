import { describe, inject } from 'vitest'

/** Tests that need a real chain. If there is none, they are skipped, and the test run says so. */
export function describeOnChain(name: string, define: () => void): void {
  const hasChain = inject('chainEngine') !== ''
  const reason = hasChain ? '' : ' (skipped: no chain runs on this machine)'
  describe.skipIf(!hasChain)(`${name}${reason}`, define)
}
