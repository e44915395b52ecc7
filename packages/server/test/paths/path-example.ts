import type { PathName } from '../../src/core/path.ts'
import type { AnswerBody } from '../support/answer-body.ts'
import type { Answer, Owner, TestApp } from '../support/app.ts'

/** How to spend over a path: what `every-path.test.ts` needs to know of it. */
export interface PathExample {
  readonly name: PathName
  /** Whether it takes a chain that runs on this machine. */
  readonly needsChain: boolean
  /**
   * Creates an agent with a mandate over this budget, and whatever the path needs. A path whose spends
   * stay with others (a chain, a merchant) needs an app of its own and ignores `app`.
   */
  open(budget: number, app?: TestApp): Promise<Till>
  /** What a gateway has to be told that runs as a process of its own. */
  readonly environment?: Readonly<Record<string, string>>
  /**
   * Sets up over the API alone what the agent takes to spend, in an organization that may have it
   * already, and gives the request of its n-th spend of 1.
   */
  equip(acme: Asker, agentId: string): Promise<(n: number) => SpendRequest>
}

/** Whoever asks a gateway, in this process or in another one. */
export interface Asker {
  get(path: string): Promise<Told>
  post(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Told>
  patch(path: string, body: object): Promise<Told>
}

interface Told {
  readonly status: number
  readonly body: AnswerBody
}

export interface SpendRequest {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

export interface Till {
  readonly acme: Owner
  readonly agentId: string
  readonly mandateId: string
  /** A spend of which it is not known yet whether money moves. */
  spend(amount: number, key?: string): Promise<Answer>
  /** Everything in time that could end the hold of a spend without a proof. */
  waitInVain(transactionId: string): Promise<void>
  proveMoved(answer: Answer): Promise<void>
  proveNotMoved(answer: Answer): Promise<void>
}
