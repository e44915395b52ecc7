import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decide, record } from '../../../src/core/decision/decide.ts'
import { ENGINE } from '../../../src/core/decision/engine.ts'
import { compilePolicy, type Policy } from '../../../src/core/mandates/policy.ts'
import { decisionInputs, hashOf, watchAccount } from '../../../src/core/replay/inputs.ts'
import { judgeAgain } from '../../../src/core/replay/judge-again.ts'
import {
  accountOf,
  type KeptInputs,
  type KeptMandate,
  readInputs,
} from '../../../src/core/replay/kept-inputs.ts'
import { someSpend } from '../desk.ts'
import { answerOf, type GoldenDecision, type GoldenFile, goldenFile } from './golden-lives.ts'

const FILE = join(import.meta.dirname, 'golden.ndjson')
const ADVICE = `An answer to stored inputs has changed. If that is meant, raise ENGINE in core/decision/engine.ts, and write the file anew with PURSER_GOLDEN=write.`

const { organizationId, transactionId: id, agentId } = someSpend()

/** Decisions that were stored once. Their answers change only with the number of the judging code. */
describe('the golden decisions', () => {
  if (process.env['PURSER_GOLDEN'] === 'write') writeAnew()
  const { engine, policies, decisions } = readFile()
  const policyOf = policiesIn(policies)

  test('are a thousand, of many kinds, by the judging code of today', () => {
    expect(decisions).toHaveLength(1_000)
    expect(engine, ADVICE).toBe(ENGINE)
    const codes = decisions.map((one) => judgeAgain(inputsOf(one), policyOf, one[1]).code)
    expect(new Set(codes).size).toBeGreaterThan(18)
  })

  test('have the answers that they had', () => {
    expect(changedIn({ engine, policies, decisions }).slice(0, 3), ADVICE).toEqual([])
  })

  test('have the hashes of their inputs that they had', () => {
    const changed = decisions.filter((one) => {
      const [, at, text, inputsHash] = one
      const inputs = inputsOf(one)
      return hashOf(inputs.spend, at, accountOf(inputs, policyOf, at).mandates, text) !== inputsHash
    })
    expect(changed.slice(0, 3)).toEqual([])
  })

  test('have the inputs that they had when they are written again', () => {
    const changed = decisions.filter((one) => {
      const [, at, text] = one
      const inputs = inputsOf(one)
      const { judging, spend } = inputs
      const watched = watchAccount(accountOf(inputs, policyOf, at))
      const decision = (judging === 'record' ? record : decide)(spend, watched.account, at)
      return decisionInputs(judging, spend, watched, decision)?.text !== text
    })
    expect(changed.slice(0, 3)).toEqual([])
  })
})

/** Other answers need another number, also in a file that is new. */
function writeAnew(): void {
  const before = readFile()
  if (before.engine === ENGINE && changedIn(before).length > 0) throw new Error(ADVICE)
  writeFileSync(FILE, textOf(goldenFile(ENGINE)))
}

function changedIn({ policies, decisions }: GoldenFile): GoldenDecision[] {
  const policyOf = policiesIn(policies)
  return decisions.filter((one) => answerOf(judgeAgain(inputsOf(one), policyOf, one[1])) !== one[4])
}

function policiesIn(policies: GoldenFile['policies']): (mandate: KeptMandate) => Policy {
  const compiled = new Map(
    policies.map(({ mandateId, version, hash, terms }) => {
      const budgetTotal = BigInt(terms.budgetTotal)
      const whole = { ...terms, warningPercents: [80], budgetTotal }
      const policy = compilePolicy({ mandateId, version, hash, terms: whole })
      return [`${mandateId} ${version}`, policy] as const
    }),
  )
  return ({ id, version }) => {
    const policy = compiled.get(`${id} ${version}`)
    if (!policy) throw new Error(`There is no policy ${id} ${version}.`)
    return policy
  }
}

function inputsOf([spend, , text]: GoldenDecision): KeptInputs {
  return readInputs(text, organizationId, { id, agentId, ...spend })
}

/** The number and the policies in the first line, then a line for each decision. */
function textOf({ decisions, ...first }: GoldenFile): string {
  return `${[first, ...decisions].map((line) => JSON.stringify(line)).join('\n')}\n`
}

function readFile(): GoldenFile {
  const [first = '', ...lines] = readFileSync(FILE, 'utf8').trim().split('\n')
  return { ...JSON.parse(first), decisions: lines.map((line) => JSON.parse(line)) }
}
