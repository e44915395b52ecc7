import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { listSettings } from '../../../packages/server/src/process/config/settings.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')
export const DEPLOY = resolve(ROOT, 'deploy')

interface Service {
  readonly image: string
  readonly profiles?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export function readDeploy(path: string): string {
  return readFileSync(resolve(DEPLOY, path), 'utf8')
}

export function readCompose(): Compose {
  return parse(readDeploy('compose/compose.yml'), { merge: true })
}

/** The environment of a service, with the values that variables have if nobody sets them. */
export function environmentOf(service: string): Record<string, string> {
  const { environment = {} } = readCompose().services[service] ?? {}
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]),
  )
}

/** Returns the names that are no setting of the gateway, nor the file of one. */
export function unknownSettings(names: readonly string[]): string[] {
  const known = listSettings().flatMap(({ settings }) =>
    Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]),
  )
  return names.filter((name) => !known.includes(name))
}
