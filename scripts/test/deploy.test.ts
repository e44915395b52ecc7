import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { DEPLOY, ROOT, readCompose, readDeploy, unknownSettings } from './support/deploy-files.ts'

const COMPOSE = resolve(DEPLOY, 'compose')
const { services, volumes } = readCompose()

describe('the Dockerfile', () => {
  const text = readDeploy('docker/Dockerfile')
  const stages = text.split(/^FROM /m).slice(1)
  const last = stages.at(-1) ?? ''

  test('has no mistake that a linter finds', () => {
    expect(validate(text)).toEqual([])
  })

  test('names the version of its base image', () => {
    expect(text).toMatch(/^ARG NODE_IMAGE=node:\d+-\w+-slim$/m)
  })

  test('runs as a user without rights, with a health check, and gets signals itself', () => {
    expect(last).toMatch(/^USER node$/m)
    expect(last.slice(last.indexOf('USER node'))).not.toMatch(/^(RUN|COPY|ADD)/m)
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", "\/app\/healthcheck\.mjs"\]$/m)
    expect(last).toMatch(/^ENTRYPOINT \["node", /m)
  })

  test('contains no secret, and copies only files that exist', () => {
    expect(text).not.toMatch(/PASSWORD|MASTER_KEY|DATABASE_URL/)
    const [, files = ''] = /^COPY (deploy\/.*) \.\/$/m.exec(last) ?? []
    expect(files.split(' ')).toHaveLength(2)
    for (const file of files.split(' ')) expect(existsSync(resolve(ROOT, file)), file).toBe(true)
  })

  test('sets only settings that the gateway knows', () => {
    const names = [...last.matchAll(/\b(PURSER_\w+)=/g)].map(([, name = '']) => name)
    expect(names).toContain('PURSER_DATA_DIR')
    expect(unknownSettings(names)).toEqual([])
  })
})

describe('the compose file', () => {
  test('names the version of each image that it does not build', () => {
    const images = Object.values(services).map(({ image }) => image)
    expect(images.filter((image) => image !== 'purser' && !/:v?\d/.test(image))).toEqual([])
  })

  test('has secrets only in files that the first start makes', () => {
    const values = Object.values(services).flatMap(({ environment = {} }) =>
      Object.entries(environment),
    )
    const secrets = values.filter(([name]) => /PASSWORD|KEY|DATABASE_URL/.test(name))
    expect(secrets.map(([name]) => name).filter((name) => !name.endsWith('_FILE'))).toEqual([])
    const made = readDeploy('docker/make-secrets.mjs')
    for (const [, file] of secrets) {
      expect(made).toContain(`secret('${file.replace('/secrets/', '')}'`)
    }
    expect(secrets).toHaveLength(4)
  })

  test('gives each service only its own secrets', () => {
    const withSecrets = Object.entries(services).map(([name, { volumes: mounts = [] }]) => [
      name,
      mounts.filter((mount) => mount.includes('/secrets/')),
    ])
    expect(Object.fromEntries(withSecrets)).toEqual({
      secrets: [
        'gateway-secrets:/secrets/gateway',
        'database-secrets:/secrets/database',
        'grafana-secrets:/secrets/grafana',
      ],
      database: ['database-secrets:/secrets/database:ro'],
      purser: ['gateway-secrets:/secrets/gateway:ro'],
      prometheus: [],
      grafana: ['grafana-secrets:/secrets/grafana:ro'],
    })
  })

  test('mounts only files that exist and volumes that it declares', () => {
    const sources = Object.values(services)
      .flatMap(({ volumes: mounts = [] }) => mounts)
      .map((mount) => mount.split(':')[0] ?? '')
    const files = sources.filter((source) => source.startsWith('.'))
    expect(files.filter((file) => !existsSync(resolve(COMPOSE, file)))).toEqual([])
    const named = sources.filter((source) => !source.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
  })

  test('runs the gateway without rights on a read-only disk, and publishes no port of metrics', () => {
    const { read_only, cap_drop, security_opt, ports, environment = {} } = services['purser'] ?? {}
    expect(read_only).toBe(true)
    expect(cap_drop).toEqual(['ALL'])
    expect(security_opt).toEqual(['no-new-privileges:true'])
    expect(ports).toHaveLength(1)
    expect(ports?.[0]).toMatch(/:3000$/)
    expect(unknownSettings(Object.keys(environment))).toEqual([])
  })

  test('has Prometheus and Grafana in a profile, with the dashboard and the alerts of deploy', () => {
    const profiles = Object.entries(services)
      .filter(([, { profiles: own }]) => own?.includes('observability'))
      .map(([name]) => name)
    expect(profiles).toEqual(['prometheus', 'grafana'])
    const metrics = `purser:${services['purser']?.environment?.['PURSER_METRICS_PORT']}`
    expect(readDeploy('compose/prometheus.yml')).toContain(`targets: ["${metrics}"]`)
    const path = '/var/lib/grafana/dashboards'
    expect(services['grafana']?.volumes).toContain(`../grafana:${path}:ro`)
    expect(readDeploy('compose/grafana/dashboards.yml')).toContain(`path: ${path}`)
  })
})

test('the unit of systemd sets only settings that the gateway knows, and no secret', () => {
  const names = [...readDeploy('systemd/purser.service').matchAll(/^Environment=(\w+)=/gm)]
  const settings = names.map(([, name = '']) => name)
  expect(settings).toContain('PURSER_MASTER_KEY_FILE')
  expect(settings).not.toContain('PURSER_MASTER_KEY')
  expect(unknownSettings(settings)).toEqual([])
})
