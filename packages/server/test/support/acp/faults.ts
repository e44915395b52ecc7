import { type Handled, refuse, sent } from './idempotency.ts'

/** The faults that any call can have. `then` means: after it was carried out. */
export type Fault =
  | 'silence'
  | 'cut'
  | '503'
  | 'garbage'
  | 'huge'
  | 'then_silence'
  | 'then_cut'
  | 'then_503'
  /** Waits for this before the call is carried out, or, with `after`, before it is answered. */
  | { readonly until: Promise<unknown>; readonly after?: boolean }
  /** Carries out nothing, and sends this answer. */
  | { readonly answer: Handled }

export interface Faults<Call extends string> {
  /** Makes the next calls of this kind fail, in the order in which the faults were set. */
  failNext(call: Call, fault: Fault, times?: number): void
  /** Carries out a call, or makes it fail. */
  run(call: Call, carryOut: () => Promise<Handled>): Promise<Handled>
}

/** More than any reader accepts of an answer. */
const HUGE = 3 * 1_048_576

export function createFaults<Call extends string>(): Faults<Call> {
  const planned: { readonly call: Call; readonly fault: Fault }[] = []

  return {
    failNext(call, fault, times = 1) {
      for (let count = 0; count < times; count += 1) planned.push({ call, fault })
    },
    async run(call, carryOut) {
      const index = planned.findIndex((plan) => plan.call === call)
      const [plan] = index < 0 ? [] : planned.splice(index, 1)
      return plan ? suffer(plan.fault, carryOut) : carryOut()
    },
  }
}

async function suffer(fault: Fault, carryOut: () => Promise<Handled>): Promise<Handled> {
  if (typeof fault !== 'string') {
    if ('answer' in fault) return { ...fault.answer, isForgotten: true }
    if (!fault.after) await fault.until
    const handled = await carryOut()
    await fault.until
    return handled
  }
  switch (fault) {
    case 'silence':
      return { ...refuse(503, 'lost'), delivery: 'never' }
    case 'cut':
      return { ...refuse(503, 'lost'), delivery: 'cut' }
    case '503':
      return refuse(503, 'service_unavailable')
    case 'garbage':
      return { ...sent(200, '<html>It works!</html>'), isForgotten: true }
    case 'huge':
      return { ...sent(200, `{"text":"${'x'.repeat(HUGE)}"}`), isForgotten: true }
    case 'then_silence':
      return { ...(await carryOut()), delivery: 'never' }
    case 'then_cut':
      return { ...(await carryOut()), delivery: 'cut' }
    case 'then_503':
      await carryOut()
      return refuse(503, 'service_unavailable')
  }
}
