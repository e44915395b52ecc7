import { Send, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type RawAnswer, sendRequest } from '../../data/send-request.ts'
import { useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ROLE_WORDS, whoMay } from '../../words/roles.ts'
import type { Entry } from './contents.ts'
import { dangerOf } from './danger.ts'
import type { Draft } from './draft.ts'
import { pathOf } from './samples.ts'

interface TryItProps {
  readonly entry: Entry
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly onAnswer: (answer: RawAnswer) => void
}

/** Sends the call with the session of this page. */
export function TryIt({ entry, draft, onDraft, onAnswer }: TryItProps) {
  const { id, method = 'GET', operation } = entry
  const [isMeant, setIsMeant] = useState(false)
  const lacking = useLacking(entry.scope)
  const danger = dangerOf(id, method)
  const bodyError = jsonError(draft.body)
  const action = useAction<Draft, RawAnswer>({
    run: (input, { idempotencyKey }) =>
      sendRequest({
        ...{ method, path: pathOf(entry, { ...input, body: undefined }), idempotencyKey },
        body: input.body.trim() === '' ? undefined : input.body,
      }),
    sentence: operation.summary,
  })
  const reason = lacking ?? (danger.needsIntent && !isMeant ? 'Tick “I mean it” first.' : undefined)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (reason !== undefined || bodyError) return
    const answer = await action.start(draft)
    if (answer) onAnswer(answer)
    // Each call of this kind is meant for itself.
    setIsMeant(false)
  }
  return (
    <Card>
      <CardHeader as="h3" title="Try it" note="with your session" />
      <CardBody>
        <form className="grid gap-3" onSubmit={(event) => void submit(event)} aria-label="Try it">
          <Inputs entry={entry} draft={draft} onDraft={onDraft} bodyError={bodyError} />
          {danger.sentence ? (
            <Notice
              tone={danger.needsIntent ? 'ask' : undefined}
              icon={<TriangleAlert size={16} strokeWidth={1.75} aria-hidden />}
            >
              {danger.sentence}
            </Notice>
          ) : null}
          {danger.needsIntent && !lacking ? (
            <Checkbox label="I mean it" checked={isMeant} onChange={setIsMeant} />
          ) : null}
          <div>
            <Button
              type="submit"
              variant="primary"
              icon={<Send size={14} aria-hidden />}
              busy={action.isBusy}
              disabledReason={reason}
            >
              Send {method}
            </Button>
          </div>
          <ErrorNotice title="The call has no answer." error={action.error} />
        </form>
      </CardBody>
    </Card>
  )
}

interface InputsProps {
  readonly entry: Entry
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly bodyError: string | undefined
}

function Inputs({ entry: { operation }, draft, onDraft, bodyError }: InputsProps) {
  const { parameters = [], requestBody } = operation
  return (
    <>
      {Object.entries(draft.params).map(([name, value]) => (
        <TextField
          key={name}
          size="sm"
          mono
          label={name}
          value={value}
          onChange={(text) => onDraft({ ...draft, params: { ...draft.params, [name]: text } })}
        />
      ))}
      {parameters.some((one) => one.in === 'query') ? (
        <TextField
          size="sm"
          mono
          label="Query"
          placeholder="limit=10"
          value={draft.query}
          onChange={(query) => onDraft({ ...draft, query: query.replace(/^\?/, '') })}
        />
      ) : null}
      {requestBody ? (
        <TextArea
          mono
          rows={5}
          spellCheck={false}
          label="Body"
          note="JSON"
          value={draft.body}
          error={bodyError}
          onChange={(body) => onDraft({ ...draft, body })}
        />
      ) : null}
    </>
  )
}

/** Names the scope that the member lacks, and who has it. */
function useLacking(scope: string | undefined): string | undefined {
  const { scopes, member } = useMe()
  if (scope === undefined || (scopes as readonly string[]).includes(scope)) return undefined
  return `Needs the scope ${scope}. ${whoMay(scope)} ${ROLE_WORDS[member.role].youAre}`
}

function jsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : ''}`
  }
}
