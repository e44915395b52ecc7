import assert from 'node:assert/strict'
import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js'
import { type Micros, parseMicros } from '../../money.ts'
import { costOf } from './cost.ts'
import { comparesBareAmount, findForbidden, namesIn, nodesOf } from './guard.ts'
import {
  EXPRESSION_LENGTH_MAX,
  PARSER_LIMITS,
  RECORDS,
  SCALARS,
  TAGS_MAX,
  TEXT_LENGTH_MAX,
} from './vocabulary.ts'

/** The inputs of an expression, with the names and meanings of the vocabulary. */
export interface ExpressionInput {
  readonly amount: Micros
  readonly currency: string
  readonly vendor: string
  readonly category: string
  readonly path: string
  readonly reference: string
  readonly spent: {
    readonly hour: Micros
    readonly day: Micros
    readonly period: Micros
    readonly total: Micros
  }
  readonly count: { readonly hour: number; readonly day: number }
  /** -1 for a new vendor, so that `>= 7` fails. */
  readonly vendorFirstSeenDays: number
  readonly agent: { readonly id: string; readonly tags: readonly string[] }
  readonly local: { readonly hour: number; readonly weekday: string; readonly date: string }
}

export type ExpressionOutcome = { readonly value: boolean } | { readonly error: string }

export type CompiledExpression =
  | {
      readonly ok: true
      /** Hints for the author, although the expression is valid. */
      readonly warnings: readonly string[]
      /**
       * The names that it reads, such as `amount` or `spent.day`; a bare `spent` stands for all its
       * fields.
       */
      readonly names: ReadonlySet<string>
      /** The maximum cost of one evaluation, in the units of `cost.ts`. */
      readonly cost: number
      evaluate(input: ExpressionInput): ExpressionOutcome
    }
  | { readonly ok: false; readonly error: string }

const VARIABLES = [...Object.keys(SCALARS), ...Object.keys(RECORDS)]

const ENVIRONMENT = createEnvironment()

/**
 * Compiles a CEL expression, or says why it is refused (ADR 23).
 *
 * The package bounds parsing but not evaluation, and its `matches` passes a pattern to an engine
 * that can be kept busy for most of a minute. So an expression must pass three checks before it
 * runs: the limits of the parser, a walk over the tree that allows only known constructs, and the
 * type check, which requires a bool as the result. An expression that passes them finishes in about
 * a millisecond.
 */
export function compileExpression(expr: string): CompiledExpression {
  const known = COMPILED.get(expr)
  if (known) return known
  const compiled = compile(expr)
  const [oldest] = COMPILED.keys()
  if (COMPILED.size >= COMPILED_MAX && oldest !== undefined) COMPILED.delete(oldest)
  COMPILED.set(expr, compiled)
  return compiled
}

/**
 * A request that writes or simulates a mandate compiles each expression several times within a
 * moment: to inspect it, to add up the costs, to warn, to judge. The result depends on the text
 * alone, so it is cached.
 */
const COMPILED = new Map<string, CompiledExpression>()
const COMPILED_MAX = 64

function compile(expr: string): CompiledExpression {
  if (expr.length > EXPRESSION_LENGTH_MAX) {
    return refused(`it has more than ${EXPRESSION_LENGTH_MAX} characters`)
  }
  try {
    const program = ENVIRONMENT.parse(expr)
    const reason = findForbidden(program.ast) ?? findMistake(expr, program)
    if (reason !== undefined) return refused(reason)
    return {
      ok: true,
      warnings: warningsFor(program.ast),
      names: namesIn(program.ast),
      cost: costOf(program.ast),
      evaluate: (input) => run(program, input),
    }
  } catch (error) {
    // The parser throws on bad syntax and on its limits; a hostile text may make it throw in other
    // ways.
    return refused(messageOf(error))
  }
}

function createEnvironment(): Environment {
  const environment = new Environment({ limits: PARSER_LIMITS }).registerFunction(
    'money(string): int',
    money,
  )
  for (const [name, { type }] of Object.entries(SCALARS)) environment.registerVariable(name, type)
  for (const [name, fields] of Object.entries(RECORDS)) {
    const types = Object.entries(fields).map(([field, { type }]) => [field, type])
    environment.registerVariable({ name, schema: Object.fromEntries(types) })
  }
  return environment
}

function refused(error: string): CompiledExpression {
  return { ok: false, error }
}

function findMistake(expr: string, program: ParseResult): string | undefined {
  const checked = program.check()
  if (!checked.valid) return messageOf(checked.error)
  if (checked.type !== 'bool')
    return `its result must be true or false, but its type is ${checked.type}`
  for (const node of nodesOf(program.ast)) {
    const mistake = mistakeIn(expr, node)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function mistakeIn(expr: string, node: ASTNode): string | undefined {
  // The package would also join texts and lists, which is the only remaining way to make large
  // values.
  if (node.op === '+' && typeNameOf(node) !== 'int') return '`+` adds whole numbers only'
  if (node.op !== 'call' || node.args[0] !== 'has') return undefined
  // The package does not check the argument of `has`, so a misspelt field would just be absent.
  const [field] = node.args[1]
  const checked = field && ENVIRONMENT.check(expr.slice(field.start, field.end))
  return checked?.valid ? undefined : messageOf(checked?.error)
}

/**
 * The type that the checker found for a node. The checker leaves it on the node without declaring
 * it. If a later version keeps it elsewhere, nothing is found here, and the expression is refused.
 */
function typeNameOf(node: ASTNode): unknown {
  const type: unknown = 'checkedType' in node ? node.checkedType : undefined
  return typeof type === 'object' && type !== null && 'name' in type ? type.name : undefined
}

function warningsFor(root: ASTNode): string[] {
  const bare = nodesOf(root).some(comparesBareAmount)
  return bare ? ["Amounts are in millionths of a currency unit: write money('20'), not 20."] : []
}

function run(program: ParseResult, input: ExpressionInput): ExpressionOutcome {
  const oversize = findOversize(input)
  if (oversize !== undefined) return { error: `the ${oversize} is too long for an expression` }
  try {
    const value: unknown = program(toContext(input))
    return typeof value === 'boolean' ? { value } : { error: 'its result is not true or false' }
  } catch (error) {
    // Not every error comes from CEL. A rule that cannot be judged fails, so all errors are treated
    // alike.
    return { error: messageOf(error) }
  }
}

// If a long value were cut off instead, it would slip past a comparison with its end.
function findOversize({ agent, vendor, category, reference }: ExpressionInput): string | undefined {
  if (agent.tags.length > TAGS_MAX) return 'list of tags'
  if (agent.tags.some((tag) => tag.length > TEXT_LENGTH_MAX)) return 'tag'
  if (vendor.length > TEXT_LENGTH_MAX) return 'vendor'
  if (category.length > TEXT_LENGTH_MAX) return 'category'
  return reference.length > TEXT_LENGTH_MAX ? 'reference' : undefined
}

/**
 * Whole numbers are passed as bigint, because the engine treats a JavaScript number as a fraction.
 * The fields are listed, because copying an object with a rest costs more than running most
 * expressions.
 */
function toContext(input: ExpressionInput) {
  return {
    amount: input.amount,
    currency: input.currency,
    vendor: input.vendor,
    category: input.category,
    path: input.path,
    reference: input.reference,
    spent: input.spent,
    vendor_first_seen_days: BigInt(input.vendorFirstSeenDays),
    agent: input.agent,
    count: { hour: BigInt(input.count.hour), day: BigInt(input.count.day) },
    local: {
      hour: BigInt(input.local.hour),
      weekday: input.local.weekday,
      date: input.local.date,
    },
  }
}

function money(text: string): Micros {
  const micros = parseMicros(text)
  assert(micros !== undefined, 'the guard lets only amounts through')
  return micros
}

function messageOf(error: unknown): string {
  const summary =
    error instanceof Error && 'summary' in error && typeof error.summary === 'string'
      ? error.summary
      : 'it cannot be evaluated'
  const hint = summary.startsWith('Unknown variable') ? ` (available: ${VARIABLES.join(', ')})` : ''
  return summary + placeOf(error) + hint
}

/** The position of the mistake that the parser or the type check found, counted from one. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error) || !('range' in error)) return ''
  const { range } = error
  const isRange = typeof range === 'object' && range !== null && 'start' in range
  return isRange && typeof range.start === 'number' ? ` at character ${range.start + 1}` : ''
}
