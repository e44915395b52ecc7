import type { Caller } from '../caller.ts'
import type { DemoRecord } from '../record.ts'
import type { DemoGateway } from '../start.ts'
import type { DemoPeople } from './people.ts'
import type { Agents } from './spend.ts'

export interface StoryParts {
  readonly gateway: DemoGateway
  readonly record: DemoRecord
  readonly people: DemoPeople
  readonly agents: Agents
  readonly operator: Caller
}
