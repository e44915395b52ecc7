import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DECISION_CODES } from '../src/core/decision/codes.ts'
import { EVENT_KINDS } from '../src/core/events/event.ts'
import { PATH_MEANINGS, PATH_NAMES } from '../src/core/path.ts'
import { RULES } from '../src/core/rules/kinds/index.ts'
import { parseRules, type RuleInput } from '../src/core/rules/rule-set.ts'
import { PATHS } from '../src/paths/index.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const DOCS = resolve(ROOT, 'docs')

const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((file) => resolve(ROOT, file)),
  ...[DOCS, resolve(DOCS, 'architecture'), resolve(DOCS, 'adr')].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => resolve(folder, file)),
  ),
]

test.each(documents.map((file) => [relative(ROOT, file), file]))(
  '%s links only to what is there',
  (_, file) => {
    const broken = linksIn(file).filter(({ target, anchor }) => {
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsIn(target).includes(anchor)
    })
    expect(broken).toEqual([])
  },
)

describe('docs/decisions.md', () => {
  const text = readFileSync(resolve(DOCS, 'decisions.md'), 'utf8')

  test('has a section for every code, and for nothing else', () => {
    const sections = [...text.matchAll(/^### `(.+)`$/gm)].map(([, code]) => code)
    expect(sections).toEqual(DECISION_CODES.map(({ code }) => code))
  })

  test('is linked from the README', () => {
    const links = linksIn(resolve(ROOT, 'README.md')).map(({ target }) => target)
    expect(links).toContain(resolve(DOCS, 'decisions.md'))
  })
})

describe('docs/rules.md', () => {
  const text = readFileSync(resolve(DOCS, 'rules.md'), 'utf8')
  const rules: RuleInput[] = [...text.matchAll(/^```json\n(.+?)^```$/gms)].map(([, json = '']) =>
    JSON.parse(json),
  )

  test('shows every rule in an example', () => {
    expect([...new Set(rules.map(({ type }) => type))]).toEqual(RULES.map(({ type }) => type))
  })

  test('shows only valid rules', () => {
    expect(() => parseRules(rules)).not.toThrow()
  })

  test.each([
    ['limit', 'Spends from before the rule was added count too'],
    ['duplicate', 'Spends from before the rule was added count too'],
    ['new_vendor', 'The rule knows earlier payments'],
    ['price_drift', 'The rule knows earlier payments'],
  ])('says of %s: %s', (type, sentence) => {
    const [, section = ''] = text.split(`\n## \`${type}\`\n`)
    expect(section.split('\n## ')[0]).toContain(sentence)
  })

  test('links every rule to the codes it can fail with', () => {
    for (const { type, codes } of RULES) {
      const [, section = ''] = text.split(`\n## \`${type}\`\n`)
      const line = section.split('\n\n').find((one) => one.startsWith('Codes: ')) ?? ''
      const linked = [...line.matchAll(/decisions\.md#(\w+)/g)].map(([, code]) => code)
      expect(linked, type).toEqual(Object.keys(codes))
    }
  })
})

/** The files that `npm run generate` writes. */
const GENERATED = [
  'openapi.json',
  'docs/cli.md',
  'docs/decisions.md',
  'docs/errors.md',
  'docs/limits.md',
  'docs/log-events.md',
  'docs/metrics.md',
  'docs/roles.md',
  'docs/rules.md',
  'docs/settings.md',
  'packages/cli/README.md',
  'packages/mcp/src/generated/rule-catalogue.ts',
].map((file) => [file, readFileSync(resolve(ROOT, file), 'utf8')] as const)

describe('the generated documents', () => {
  const all = GENERATED.map(([, text]) => text).join('\n')
  const named = (names: readonly string[], text: string) =>
    names.filter((name) => text.includes(`\`${name}\``) || text.includes(`"${name}"`))

  test('are all listed here', () => {
    const script = readFileSync(resolve(ROOT, 'scripts/generate.ts'), 'utf8')
    const files = [...script.matchAll(/^ {2}'(.+)': create/gm)].map(([, file]) => file)
    expect(files).toEqual(GENERATED.map(([file]) => file))
  })

  test('name every payment path and call none of them missing', () => {
    expect(PATHS.map(({ name }) => name).toSorted()).toEqual([...PATH_NAMES].toSorted())
    const rules = readFileSync(resolve(DOCS, 'rules.md'), 'utf8')
    const wrapped = rules.split(/^(?=## )/m).find((one) => one.startsWith('## `paths`\n'))
    const section = wrapped?.replaceAll(/\s+/g, ' ')
    for (const name of PATH_NAMES) expect(section).toContain(`\`${name}\` (${PATH_MEANINGS[name]})`)
    const [document] = GENERATED
    expect(named(PATH_NAMES, document?.[1] ?? '')).toEqual(PATH_NAMES)
    for (const [file, text] of GENERATED) {
      expect(text.match(/.*(?:does not|do not) exist yet.*|.*not implemented.*/i), file).toBeNull()
    }
  })

  test('name every rule', () => {
    const types = RULES.map(({ type }) => type)
    for (const file of ['openapi.json', 'docs/rules.md']) {
      const text = readFileSync(resolve(ROOT, file), 'utf8')
      expect(named(types, text), file).toEqual(types)
    }
  })

  test('name every event, as does the webhook guide', () => {
    expect(named(EVENT_KINDS, all)).toEqual(EVENT_KINDS)
    const guide = readFileSync(resolve(DOCS, 'guide-webhooks.md'), 'utf8')
    expect(named(EVENT_KINDS, guide)).toEqual(EVENT_KINDS)
  })
})

/** The links of a document to files in the repository. */
function linksIn(file: string): { readonly target: string; readonly anchor: string | undefined }[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#')
      return { target: path === '' ? file : resolve(dirname(file), path), anchor }
    })
}

/** Anchors of headings, formed as GitHub does. */
function anchorsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
