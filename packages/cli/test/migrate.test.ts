import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../server/test/support/database.ts'
import { toDistributionLines } from '../src/migrate/distribution-text.ts'
import { aroundInstallation } from './support/installation.ts'

describeOnPostgres('purser migrate', () => {
  const purser = aroundInstallation()

  test('applies migrations, and says that the store is on one machine', async () => {
    const { code, stdout } = await purser.process(['migrate'], {})
    expect([code, stdout]).toEqual([
      0,
      'Applied 0 migrations, moved 0 tables.\nThe store is on one machine.',
    ])
    const shown = await purser(['migrate', '--status', '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'plain', citus: null, nodes: [] })
  })

  test.each(['--distributed', '--undistribute'])(
    'refuses %s while a gateway is connected',
    async (option) => {
      // The database of the test is open, under the name of a gateway.
      const { code, stderr } = await purser(['migrate', option])
      expect([code, stderr]).toEqual([1, expect.stringContaining('No table was moved.')])
    },
  )

  test('refuses options that contradict each other', async () => {
    for (const args of [
      ['--distributed', '--undistribute'],
      ['--undistribute', '--status'],
      ['--shards', '8'],
      ['--distributed', '--shards', '0'],
    ]) {
      expect((await purser(['migrate', ...args])).code).not.toBe(0)
    }
  })

  test('refuses to distribute the embedded database', async () => {
    const { code, stderr } = await purser(['migrate', '--distributed'], { DATABASE_URL: '' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL')])
  })
})

test('the status of a distributed store names nodes and tables', () => {
  const lines = toDistributionLines({
    state: 'partly',
    citus: '13.2-1',
    nodes: [
      { address: 'a:5432', role: 'coordinator', isActive: true, shards: 0 },
      { address: 'b:5432', role: 'worker', isActive: false, shards: 1 },
    ],
    onWorkers: ['agents', 'organizations'],
    onCoordinator: ['api_keys'],
    toDistribute: ['wallets'],
    toRegister: ['api_keys'],
  })
  expect(lines).toEqual([
    'A part of the store is distributed. Gateways do not start on it.',
    'Citus 13.2-1 has 2 nodes:',
    '  a:5432  coordinator, active',
    '  b:5432  worker, not active, 1 shard of each distributed table',
    'On the workers: agents, organizations',
    'On the coordinator: api_keys',
    'To be moved to the workers: wallets',
    'Not yet committed together with the workers: api_keys',
    'Stop all gateways and run  purser migrate --distributed',
  ])
})
