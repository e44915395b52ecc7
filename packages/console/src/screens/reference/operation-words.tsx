import { Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApiDocument, ApiParameter, ApiSchema } from '../../data/openapi.ts'
import { useMe } from '../../data/session.ts'
import type { Entry } from './contents.ts'
import { MethodTag } from './method-tag.tsx'
import { Prose } from './prose.tsx'
import { FieldRow, Fields } from './schema-tree.tsx'
import { shapeOf } from './shape.ts'

const JSON_TYPE = 'application/json'
const SCOPE_SENTENCE = / ?Needs the scope `[^`]+`\./

interface OperationWordsProps {
  readonly document: ApiDocument
  readonly entry: Entry
}

/** The description of an operation or event, with every field of it. */
export function OperationWords({ document, entry }: OperationWordsProps) {
  const { operation, method, path, scope, sdk } = entry
  const { parameters = [], requestBody, responses, description = '' } = operation
  const of = (place: string) => parameters.filter((one) => one.in === place)
  const body = requestBody?.content[JSON_TYPE]?.schema
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answerSchema = answer?.content?.[JSON_TYPE]?.schema
  return (
    <article className="min-w-0 p-4 tablet:p-6" aria-labelledby="reference-title">
      <h2 id="reference-title" className="text-title font-strong tracking-tight text-balance">
        {operation.summary}
      </h2>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-1 font-mono text-small wrap-anywhere">
        {method ? <MethodTag method={method} /> : null}
        {path}
      </p>
      <p className="mt-3 max-w-[72ch] text-read text-ink-2">
        <Prose text={description.replace(SCOPE_SENTENCE, '')} />
      </p>
      {scope ? <ScopeLine scope={scope} sdk={sdk?.split(' ')[0]} /> : null}
      <Parameters title="Path" list={of('path')} document={document} />
      <Parameters title="Query" list={of('query')} document={document} />
      <Body title={method ? 'Body' : 'Payload'} schema={body} document={document} />
      <Parameters title="Headers" list={of('header')} document={document} />
      {method ? <Body title="Answer" schema={answerSchema} document={document} /> : null}
      {method ? <Errors responses={responses} /> : null}
    </article>
  )
}

function ScopeLine({ scope, sdk }: { readonly scope: string; readonly sdk: string | undefined }) {
  const { scopes } = useMe()
  const isAllowed = (scopes as readonly string[]).includes(scope)
  const Icon = isAllowed ? LockOpen : Lock
  return (
    <p className="mt-2.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-3">
      <Icon size={14} strokeWidth={1.5} aria-hidden />
      <span>
        Needs the scope <code>{scope}</code>
        {isAllowed ? '' : ', which your role does not have'}.
      </span>
      {sdk ? (
        <span>
          In the SDK: <code>purser.{sdk}</code>
        </span>
      ) : null}
    </p>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-6" aria-label={title}>
      <h3 className="border-b border-line pb-1.5 text-small font-medium text-ink-3">{title}</h3>
      {children}
    </section>
  )
}

interface ParametersProps {
  readonly title: string
  readonly list: readonly ApiParameter[]
  readonly document: ApiDocument
}

function Parameters({ title, list, document }: ParametersProps) {
  if (list.length === 0) return null
  return (
    <Section title={title}>
      <ul>
        {list.map(({ name, schema, description, example, required = false }) => (
          <FieldRow
            key={name}
            document={document}
            depth={0}
            field={{
              ...{ name, isRequired: required },
              schema: {
                ...schema,
                ...(description === undefined ? {} : { description }),
                ...(example === undefined ? {} : { examples: [example] }),
              },
            }}
          />
        ))}
      </ul>
    </Section>
  )
}

interface BodyProps {
  readonly title: string
  readonly schema: ApiSchema | undefined
  readonly document: ApiDocument
}

function Body({ title, schema, document }: BodyProps) {
  if (!schema) return null
  const shape = shapeOf(document, schema)
  return (
    <Section title={title}>
      <div className={shape.variants ? 'mt-3' : ''}>
        <Fields document={document} shape={shape} />
      </div>
    </Section>
  )
}

function Errors({ responses }: { readonly responses: Entry['operation']['responses'] }) {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return (
    <Section title="Errors">
      <dl className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 pt-2.5">
        {errors.map(([status, { description }]) => (
          <div className="contents" key={status}>
            <dt className="font-mono text-small text-ink-3">{status}</dt>
            <dd className="max-w-[72ch] text-small text-ink-2">
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
