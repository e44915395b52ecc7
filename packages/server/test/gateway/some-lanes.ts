import { createLanes } from '../../src/gateway/queue/lanes.ts'
import type { OrganizationNodes } from '../../src/storage/distributed/organization-nodes.ts'

export interface Job {
  readonly organization: string
  readonly agent: string
  readonly number: number
}

interface Run {
  readonly jobs: readonly Job[]
  finish(): void
  fail(error: Error): void
}

const LANES = { shared: 4, own: 2, perOrganization: 2 }

/** Lanes whose batches end when the test says so. The result of a job is its number. */
export function someLanes({
  lanes = LANES,
  waitingMax = 1_000,
  nodes,
}: {
  lanes?: typeof LANES
  waitingMax?: number
  nodes?: OrganizationNodes
} = {}) {
  const open: Run[] = []
  const batcher = createLanes<Job, number>({
    run: (jobs) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => () => {
          open.splice(open.indexOf(one), 1)
          settle()
        }
        const one: Run = {
          jobs,
          finish: end(() => resolve(jobs.map((job) => job.number))),
          fail: (error) => end(() => reject(error))(),
        }
        open.push(one)
      }),
    isolates: () => false,
    organizationOf: (job) => job.organization,
    agentOf: (job) => job.agent,
    lanes,
    nodes,
    batchSizeMax: 256,
    waitingMax,
  })
  let number = 0
  const submit = (organization: string, count = 1, agent = 'one') =>
    Array.from({ length: count }, () => {
      number += 1
      return batcher.submit({ organization, agent, number })
    })
  /** Whose batches are under way, in the order in which they began. */
  const running = () => open.map(({ jobs }) => jobs[0]?.organization).join(' ')
  const batchOf = (organization: string): Run => {
    const found = open.find(({ jobs }) => jobs[0]?.organization === organization)
    if (!found) throw new Error(`Nothing of ${organization} is under way.`)
    return found
  }
  return { batcher, open, submit, running, batchOf }
}
