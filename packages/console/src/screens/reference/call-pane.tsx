import { useMemo, useState } from 'react'
import type { ApiDocument } from '../../data/openapi.ts'
import type { RawAnswer } from '../../data/send-request.ts'
import { Code } from '../../ui/code.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import type { Entry } from './contents.ts'
import { bodyOf, draftOf } from './draft.ts'
import { answerExample } from './example.ts'
import { curlSample, typescriptSample } from './samples.ts'
import { SentAnswer } from './sent-answer.tsx'
import { TryIt } from './try-it.tsx'

const TYPESCRIPT = 'TypeScript'

interface CallPaneProps {
  readonly document: ApiDocument
  readonly entry: Entry
  readonly lang: string | undefined
  readonly onLang: (lang: string) => void
}

/** The call in two languages, a form that sends it, and the answer. */
export function CallPane({ document, entry, lang, onLang }: CallPaneProps) {
  const [draft, setDraft] = useState(() => draftOf(document, entry))
  const [sent, setSent] = useState<RawAnswer | null>(null)
  const example = useMemo(() => answerExample(document, entry), [document, entry])
  const input = useMemo(() => ({ ...draft, body: bodyOf(draft.body) }), [draft])
  return (
    <div className="grid content-start gap-5 p-4 tablet:p-6">
      <Snippets
        wrap
        value={lang === 'ts' ? TYPESCRIPT : 'curl'}
        onChange={(label) => onLang(label === TYPESCRIPT ? 'ts' : 'curl')}
        tabs={[
          { label: 'curl', lang: 'bash', code: curlSample(entry, input) },
          { label: TYPESCRIPT, lang: 'ts', code: typescriptSample(entry, input) },
        ]}
      />
      <TryIt entry={entry} draft={draft} onDraft={setDraft} onAnswer={setSent} />
      {sent ? (
        <SentAnswer answer={sent} />
      ) : example ? (
        <section aria-label="Example of the answer" className="min-w-0">
          <h3 className="mb-1.5 text-small font-medium text-ink-3">Answer, {example.status}</h3>
          <Code lang={example.isJson ? 'json' : 'text'} label="Example of the answer">
            {example.text}
          </Code>
        </section>
      ) : null}
    </div>
  )
}
