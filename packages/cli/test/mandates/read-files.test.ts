import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import openapi from '../../../../openapi.json' with { type: 'json' }
import { toMistakeLine } from '../../src/mandates/mistake.ts'
import { readTexts } from '../../src/mandates/read-files.ts'
import { COMMON_RULE_FIELDS, RULE_FIELDS } from '../../src/mandates/rule-fields.ts'

const WHOLE = `# The budget of the research agent.
agent: research
name: Research
budgetTotal: 100
budgetPeriod: monthly
currency: USD
timezone: Europe/Berlin
validFrom: 2026-01-01T00:00:00Z
validUntil: null
warningPercents: [95, 50]
discloseLimits: true
parent:
  agent: {name: Head of research}
  name: Department
rules:
  - {type: amount, max: 20}
cases:
  - name: a small spend passes
    amount: 5
    vendor: api.openai.com
    category: llm
    path: card
    at: sat 03:00
    reference: order-1
    expect: approved
  - {amount: 50, vendor: api.openai.com, category: llm, expect: {decision: rejected, code: amount_above_max, rule: amount, flags: []}}
`

function read(text: string) {
  const { mandates, mistakes } = readTexts([{ file: 'a.yaml', text }])
  return { mandates, lines: mistakes.map(toMistakeLine) }
}

test('a file describes a mandate with its agent, terms, parent and cases', () => {
  const { mandates, lines } = read(WHOLE)
  expect(lines).toEqual([])
  expect(mandates).toMatchObject([
    {
      file: 'a.yaml',
      line: 2,
      agent: { either: 'research' },
      name: 'Research',
      parent: { agent: { name: 'Head of research' }, name: 'Department' },
      terms: {
        budgetTotal: 100,
        budgetPeriod: 'monthly',
        currency: 'USD',
        timezone: 'Europe/Berlin',
        validFrom: '2026-01-01T00:00:00Z',
        validUntil: null,
        warningPercents: [50, 95],
        discloseLimits: true,
        rules: [{ type: 'amount', max: 20 }],
      },
      cases: [
        {
          name: 'a small spend passes',
          line: 18,
          at: 'sat 03:00',
          expect: { decision: 'approved' },
        },
        { name: 'case 2', line: 26, expect: { decision: 'rejected', rule: 'amount', flags: [] } },
      ],
    },
  ])
})

test('a term that a file does not name is not among its terms', () => {
  const { mandates } = read('{agent: a, name: b}')
  expect(mandates[0]?.terms).toEqual({})
})

test('a file can have several documents, and JSON is YAML', () => {
  const two = read('agent: a\nname: One\n---\nagent: a\nname: Two\n')
  expect(two.mandates.map(({ name, line }) => [name, line])).toEqual([
    ['One', 1],
    ['Two', 4],
  ])
  const json = JSON.stringify({ agent: { externalId: 'x' }, name: 'One', rules: [] }, null, 2)
  expect(read(json)).toMatchObject({ lines: [], mandates: [{ agent: { externalId: 'x' } }] })
})

test.each([
  [
    'agent: a\nname: b\nbudgetTotl: 5\n',
    'a.yaml:3: budgetTotl is not a field here; did you mean budgetTotal?',
  ],
  ['agent: a\nname: b\nbudgetTotal: "5"\n', 'a.yaml:3: budgetTotal must be a number, such as 12.5'],
  ['agent: a\nname: b\nbudgetTotal: 0\n', 'a.yaml:3: budgetTotal is 0, but must be above 0'],
  [
    'agent: a\nname: b\nbudgetTotal: .inf\n',
    'a.yaml:3: budgetTotal is Infinity, but must have at most six decimals and be below 2^33',
  ],
  [
    'agent: a\nname: b\nbudgetTotal: 0.1234567\n',
    'a.yaml:3: budgetTotal is 0.1234567, but must have at most six decimals and be below 2^33',
  ],
  [
    'agent: a\nname: b\nbudgetPeriod: montly\n',
    'a.yaml:3: budgetPeriod must be none, daily, weekly, monthly or yearly; did you mean monthly?',
  ],
  [
    'agent: a\nname: b\ncurrency: usd\n',
    'a.yaml:3: currency must be an ISO 4217 code such as USD, or USDC or EURC',
  ],
  [
    'agent: a\nname: b\ntimezone: Berlin\n',
    'a.yaml:3: timezone must be an IANA time zone, such as Europe/Berlin',
  ],
  [
    'agent: a\nname: b\nvalidUntil: 2027-01-01\n',
    'a.yaml:3: validUntil must be a time with an offset, such as 2027-01-01T00:00:00Z',
  ],
  [
    'agent: a\nname: b\nvalidFrom: 2027-01-01T00:00Z\nvalidUntil: 2026-01-01T00:00Z\n',
    'a.yaml:3: validFrom must be before validUntil',
  ],
  [
    'agent: a\nname: b\nwarningPercents: [80, 100]\n',
    'a.yaml:3: warningPercents must be a list of at most 10 different whole numbers from 1 to 99',
  ],
  ['agent: a\nname: b\ndiscloseLimits: yes\n', 'a.yaml:3: discloseLimits must be true or false'],
  ['name: b\n', 'a.yaml:1: agent is required: the externalId or the name of an agent'],
  ['agent: a\n', 'a.yaml:1: name is required'],
  ['agent: a\nname: ""\n', 'a.yaml:2: name must have 1 to 120 characters'],
  [
    'agent: {externalId: a, name: b}\nname: b\n',
    'a.yaml:1: agent must have either an externalId or a name',
  ],
  ['agent: a\nname: b\nparent: c\n', 'a.yaml:3: parent must have named fields'],
  ['agent: a\nname: b\nparent:\n  agent: c\n', 'a.yaml:3: parent.name is required'],
  [
    'agent: a\nname: b\nrules:\n  - {type: amount, max: 5}\n  - type: amuont\n',
    'a.yaml:5: rules[1].type must be paths, vendors, categories, amount, schedule, limit, duplicate, new_vendor, price_drift, expression or approval; did you mean amount?',
  ],
  [
    'agent: a\nname: b\nrules:\n  - type: amount\n    maximum: 5\n',
    'a.yaml:5: rules[0].maximum is not a field here; allowed: type, id, effect, min, max',
  ],
  [
    'agent: a\nname: b\nrules:\n  - {type: amount, id: x, max: 5}\n  - {type: amount, id: x, min: 5}\n',
    'a.yaml:5: rules[1].id is also the id of rules[0]',
  ],
  ['agent: a\nname: b\nrules: {type: amount}\n', 'a.yaml:3: rules must be a list'],
  ['agent: a\nname: b\nrules: [amount]\n', 'a.yaml:3: rules[0] must have named fields'],
  [
    'agent: a\nname: b\ncases:\n  - amount: 5\n    vendor: v.com\n    category: llm\n',
    'a.yaml:4: cases[0].expect is required',
  ],
  [
    'agent: a\nname: b\ncases:\n  - {amount: 5, vendor: v.com, category: llm, expect: aproved}\n',
    'a.yaml:4: cases[0].expect must be approved or rejected; did you mean approved?',
  ],
  [
    'agent: a\nname: b\ncases:\n  - {amount: 5, vendor: v.com, category: llm, expect: approved, at: noon}\n',
    'a.yaml:4: cases[0].at must be a time such as 2027-01-01T00:00:00Z, or sat 03:00',
  ],
  [
    'agent: a\nname: b\ncases:\n  - {vendor: v.com, category: llm, expect: approved}\n',
    'a.yaml:4: cases[0].amount is required',
  ],
  ['', 'a.yaml:1: contains no mandate'],
  ['# only a comment\n', 'a.yaml:1: contains no mandate'],
  ['just a text', 'a.yaml:1: must have named fields'],
])('a mistake names its file, line and field: %j', (text, line) => {
  const { mandates, lines } = read(text)
  expect(mandates).toEqual([])
  expect(lines).toEqual([line])
})

test('a file that is not YAML says where', () => {
  expect(read('agent: a\nname: [b\n').lines[0]).toMatch(/^a\.yaml:\d: is not valid YAML: /)
  expect(read('agent: a\nagent: b\nname: c\n').lines[0]).toMatch(
    /^a\.yaml:\d: is not valid YAML: Map keys must be unique/,
  )
  expect(read('agent: !!js/function "x"\nname: c\n').lines[0]).toMatch(
    /^a\.yaml:1: is not valid YAML: /,
  )
})

test('a small file cannot become a huge value', () => {
  const layers = Array.from({ length: 9 }, (_, index) => {
    const inner = index === 0 ? 'x' : `*l${index - 1}`
    return `l${index}: &l${index} [${Array(10).fill(inner).join(', ')}]`
  })
  expect(read(layers.join('\n')).lines[0]).toMatch(
    /^a\.yaml:1: cannot be read: Excessive alias count/,
  )
})

test('two documents that name the same mandate are a mistake', () => {
  const text = 'agent: a\nname: b\n---\nagent: a\nname: b\n'
  expect(read(text).lines).toEqual([
    'a.yaml:5: name and agent are those of the mandate at a.yaml:1',
  ])
})

test('the fields of rules are those of the API', () => {
  const { oneOf } = openapi.components.schemas.RuleInput
  const names = oneOf.map(({ $ref }) => $ref.split('/').at(-1) ?? '')
  const schemas: Readonly<Record<string, unknown>> = openapi.components.schemas
  const fields = names.map((name) => {
    const { properties } = schemas[name] as { properties: Record<string, { const?: string }> }
    const others = Object.keys(properties).filter((each) => !COMMON_RULE_FIELDS.includes(each))
    return [properties['type']?.const, others.sort()]
  })
  const listed = Object.entries(RULE_FIELDS).map(([type, names]) => [type, [...names].sort()])
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(fields))
})

test('the mandate that the guide shows has no mistakes', () => {
  const guide = new URL('../../../../docs/guide-mandates-as-files.md', import.meta.url)
  const blocks = readFileSync(guide, 'utf8').matchAll(/```yaml\n(.*?)```/gs)
  const shown = [...blocks].map(([, text = '']) => text).filter((text) => text.includes('agent:'))
  expect(shown).toHaveLength(1)
  expect(read(shown.join())).toMatchObject({ lines: [], mandates: [{ cases: [{}, {}] }] })
})
