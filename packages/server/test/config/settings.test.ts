import { describe, expect, test } from 'vitest'
import { mayBeInFile } from '../../src/base/setting.ts'
import { listSettings } from '../../src/process/config/settings.ts'
import { readConfig } from '../../src/process/config.ts'

const settings = listSettings().flatMap((group) => Object.entries(group.settings))

const KEY = Buffer.alloc(32, 9).toString('hex')

/** Settings that are valid only together with a second one. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PURSER_ENV: { PURSER_MASTER_KEY: KEY },
  PURSER_MASTER_KEY_PREVIOUS: { PURSER_MASTER_KEY: KEY },
  PURSER_SMTP_URL: { PURSER_MAIL_FROM: 'purser@example.com' },
  PURSER_MAIL_FROM: { PURSER_SMTP_URL: 'smtp://mail.example' },
}

/** The names that a start looks up in its environment. */
function namesRead(): Set<string> {
  const names = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        names.add(String(name))
        return undefined
      },
    },
  )
  readConfig(env).readInitial()
  return names
}

describe('a declared setting', () => {
  test.each(settings)('%s accepts its example and its default', (name, setting) => {
    for (const value of [setting.example, setting.default]) {
      if (value === undefined) continue
      const given = value.startsWith('$') ? KEY : value
      expect(() => readConfig({ ...BESIDE[name], [name]: given })).not.toThrow()
    }
  })

  test.each(settings)('%s says more than its name, in whole sentences', (_, setting) => {
    expect(setting.description).toMatch(/^[A-Z].{19,}\.$/)
  })

  test('is read at every start, and a start reads no other variable', () => {
    const declared = settings.flatMap(([name, setting]) =>
      mayBeInFile(setting) ? [name, `${name}_FILE`] : [name],
    )
    expect([...namesRead()].toSorted()).toEqual(declared.toSorted())
  })

  test('applies its default while it is unset', () => {
    const defaults = settings.flatMap(([name, setting]) =>
      setting.default === undefined ? [] : [[name, setting.default]],
    )
    const { paths: explicit, readInitial, ...config } = readConfig(Object.fromEntries(defaults))
    expect(readConfig({})).toMatchObject(config)
    expect(readConfig({}).readInitial()).toEqual(readInitial())
    expect(explicit.map((path) => path.settings)).toEqual(
      readConfig({}).paths.map((path) => path.settings),
    )
  })
})

test('a path cannot read a setting that it does not declare', () => {
  const group = { title: 'Till', settings: {} }
  const read = (variable: (name: string) => unknown) => variable('PURSER_TILL_DRAWERS')
  const till = { name: 'card', settings: { group, read }, open: () => ({}) } as const
  expect(() => readConfig({}, { paths: [till] })).toThrow('PURSER_TILL_DRAWERS is not declared')
})
