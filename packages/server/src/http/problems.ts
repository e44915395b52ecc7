import { STATUS_CODES } from 'node:http'
import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { andMore, clip, kindOf, Problem, type ProblemCode } from '../base/errors.ts'
import { logEvent } from '../base/log/log-event.ts'
import { sendBeforeBody } from './body/unread-body.ts'
import { clientRequestIdOf } from './client-request-id.ts'
import { toFieldErrors } from './validation/field-errors.ts'

const CUT_OFF = 'ERR_STREAM_PREMATURE_CLOSE'
const OVERLOADED = 'overloaded'

/** Answers with an RFC 9457 document. This is the only place where errors become answers of our API. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  send(declared(toProblem(error), request), request, reply)
}

/** For an address without a route: then there is no route that could declare a problem. */
export function sendUnrouted(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  send(toProblem(error), request, reply)
}

/** The monitors of the disk and of the store log these, once. */
const TOLD: ReadonlySet<string> = new Set(['storage_full', 'store_moved', 'store_restored'])

/** Logs problems on our side for the operator. */
export function tellOperator(problem: Problem, request: FastifyRequest): void {
  const isTold = problem.status === 502 || TOLD.has(problem.code) || problem.isTold
  const isOurs = problem.status >= 500 && !isTold && !isCallersEnd(problem, request)
  if (!isOurs) return
  if (problem.code === OVERLOADED) {
    // Overload is not a bug, so the stack is of no use. The constant text merges many into one
    // line.
    logEvent(request.log, 'http.overloaded', { err: OVERLOADED, ...idsOf(request) })
    return
  }
  logEvent(request.log, 'http.request_failed', {
    err: problem.cause ?? problem,
    ...idsOf(request),
    problem: problem.code,
    detail: problem.message,
  })
}

/** Our id of the request, and the caller's own if it has one. */
function idsOf(request: FastifyRequest) {
  return { requestId: request.id, clientRequestId: clientRequestIdOf(request) }
}

/** A stream also breaks off if its caller disconnects before the first byte. */
function isCallersEnd({ cause }: Problem, { raw }: FastifyRequest): boolean {
  const isCut = cause instanceof Error && 'code' in cause && cause.code === CUT_OFF
  return isCut && raw.socket.destroyed
}

function send(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  tellOperator(problem, request)
  if (problem.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(problem.retryAfterSeconds))
  }
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8')
  sendBeforeBody(request, reply, JSON.stringify(toDocument(problem, request)))
}

/** No address of ours is longer than this. */
const INSTANCE_MAX = 500

function toDocument(problem: Problem, request: FastifyRequest): object {
  return {
    type: `urn:purser:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: clip(request.url.split('?', 1)[0] ?? '', INSTANCE_MAX),
    code: problem.code,
    ...idsOf(request),
    errors: problem.errors,
    ...problem.extra,
  }
}

/** Converts any thrown value into a problem: a value that is not a Problem is a bug. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isFrameError(error)) return ofFrame(error)
  return internal(error)
}

function internal(cause: unknown): Problem {
  return new Problem(
    'internal_error',
    'The request failed because of a defect in the gateway. Please report it with the requestId.',
    { cause },
  )
}

function isFrameError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

/** Converts errors that the HTTP framework raises before or around a handler. */
function ofFrame(error: FastifyError): Problem {
  if (error.validation) {
    const mistakes = error.validation as ErrorObject[]
    const errors = toFieldErrors(mistakes)
    const where = PARTS[error.validationContext ?? ''] ?? 'request'
    const code = isUnreadable(mistakes) ? 'unreadable_name' : 'validation_failed'
    return new Problem(code, summaryOf(where, errors), { errors, cause: error })
  }
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return new Problem(
        'unsupported_media_type',
        'Send the body as JSON with the header Content-Type: application/json.',
        { cause: error },
      )
    default:
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
        return new Problem(
          'validation_failed',
          `${STATUS_CODES[error.statusCode]}: ${error.message}`,
          {
            cause: error,
          },
        )
      }
      return internal(error)
  }
}

/**
 * Whether everything else is well formed. If a text may be null, the validator reports that as
 * well.
 */
function isUnreadable(mistakes: readonly ErrorObject[]): boolean {
  const formats = mistakes.filter(({ keyword }) => keyword === 'format')
  const isOther = ({ keyword, params }: ErrorObject): boolean =>
    keyword !== 'format' && keyword !== 'anyOf' && params['type'] !== 'null'
  if (formats.length === 0 || mistakes.some(isOther)) return false
  return formats.every(({ params }) => params['format'] === 'name' || params['format'] === 'text')
}

const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  params: 'path',
  querystring: 'query',
  headers: 'headers',
}

function summaryOf(where: string, errors: readonly { path: string; message: string }[]): string {
  const [first] = errors
  if (!first) return `The ${where} is not valid.`
  const place = first.path === '' ? `The ${where}` : `In the ${where}, ${first.path}`
  return `${place} ${first.message}${andMore(errors.length)}.`
}

/** Problems that every endpoint may answer with. An endpoint must declare all others. */
export const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'validation_failed',
  'malformed_json',
  'unauthenticated',
  'insufficient_scope',
  'agent_bound_key',
  'body_too_large',
  'pan_not_allowed',
  'unreadable_name',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'overloaded',
  'storage_full',
  'storage_unavailable',
  'store_moved',
  'store_restored',
]

/** Problems of every endpoint that accepts an Idempotency-Key. */
export const IDEMPOTENCY_PROBLEMS: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_in_flight',
]

/** Problems of changes with a session instead of a key; the second one only for sensitive changes. */
export const SESSION_PROBLEMS: readonly ProblemCode[] = ['cross_site', 'reauthentication_required']

/** A problem that the endpoint did not declare is missing from the document, which is a bug. */
function declared(problem: Problem, request: FastifyRequest): Problem {
  const { problems, isApi } = request.routeOptions.config
  if (!isApi) return problem
  const known = [
    ...COMMON_PROBLEMS,
    ...IDEMPOTENCY_PROBLEMS,
    ...SESSION_PROBLEMS,
    ...(problems ?? []),
  ]
  if (known.some((one) => kindOf(one).code === problem.code)) return problem
  return internal(new Error(`Undeclared problem: ${problem.code}`, { cause: problem }))
}
