import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'

const warningsOf = (env: Record<string, string>) => readConfig(env).warnings

describe('an unknown variable that looks like a setting', () => {
  test.each([
    ['PURSER_PROT', 'PURSER_PORT'],
    ['PURSER_LOGLEVEL', 'PURSER_LOG_LEVEL'],
    ['PURSER_MASTERKEY_FILE', 'PURSER_MASTER_KEY_FILE'],
    ['PURSER_X402_NETWORK', 'PURSER_X402_NETWORKS'],
    ['PURSER_DRAIN_SECOND', 'PURSER_DRAIN_SECONDS'],
    ['PURSER_DATABASE_URL', 'DATABASE_URL'],
    ['PURSER_ORG', 'PURSER_INIT_ORG'],
  ])('%s causes a warning with the nearest setting, and the start continues', (name, nearest) => {
    const [warning, ...others] = warningsOf({ [name]: 'secret value' })
    expect(warning).toEqual({ name, hint: `Did you mean ${nearest}?` })
    expect(others).toEqual([])
  })

  test('causes a warning without a suggestion if no setting is similar', () => {
    expect(warningsOf({ PURSER_FAVOURITE_COLOUR: 'blue' })).toEqual([
      { name: 'PURSER_FAVOURITE_COLOUR', hint: 'docs/settings.md lists the settings.' },
    ])
  })

  test('is ignored if Kubernetes sets it, or the command reads it', () => {
    const env = {
      PURSER_SERVICE_HOST: '10.0.0.7',
      PURSER_SERVICE_PORT: '4100',
      PURSER_SERVICE_PORT_HTTP: '4100',
      PURSER_PORT_4100_TCP: 'tcp://10.0.0.7:4100',
      PURSER_PORT_4100_TCP_PROTO: 'tcp',
      PURSER_PORT_4100_TCP_PORT: '4100',
      PURSER_PORT_4100_TCP_ADDR: '10.0.0.7',
      PURSER_METRICS_SERVICE_HOST: '10.0.0.8',
      PURSER_METRICS_PORT_9090_TCP: 'tcp://10.0.0.8:9090',
      PURSER_API_KEY: 'psr_test_…',
      PURSER_URL: 'http://127.0.0.1:3000',
    }
    expect(warningsOf(env)).toEqual([])
  })

  test('is reported for at most ten variables', () => {
    const names = Array.from({ length: 50 }, (_, index) => [`PURSER_OTHER_${index}`, 'x'])
    expect(warningsOf(Object.fromEntries(names))).toHaveLength(10)
  })
})

test.each(['PURSER_PORT', 'PURSER_METRICS_PORT'])(
  'the message explains a %s that Kubernetes has overwritten',
  (name) => {
    expect(() => readConfig({ [name]: 'tcp://10.0.0.7:4100' })).toThrow(
      new RegExp(`${name} is an address.*Kubernetes.*enableServiceLinks: false`),
    )
  },
)
