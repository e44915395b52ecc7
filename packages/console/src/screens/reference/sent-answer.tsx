import type { RawAnswer } from '../../data/send-request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'

/** The answer of the gateway to the call that was just sent. */
export function SentAnswer({ answer }: { readonly answer: RawAnswer }) {
  const { status, requestId, durationMs, text, isCut } = answer
  return (
    <section aria-label="Answer of the gateway" className="min-w-0">
      <h3 className="mb-1.5 flex flex-wrap items-center gap-2 text-small font-medium text-ink-3">
        <span role="status" className="flex items-center gap-2">
          Answer <Badge tone={status < 400 ? 'ok' : 'no'}>{status}</Badge>
        </span>
        <span className="font-regular">
          {durationMs} ms{requestId ? `, ${requestId}` : ''}
        </span>
      </h3>
      <Code lang={isJson(text) ? 'json' : 'text'} label="Answer of the gateway" copyText={text}>
        {pretty(text)}
      </Code>
      {isCut ? (
        <p className="mt-1 text-small text-ink-3">
          Cut after 64 kB. Run the command to get all of it.
        </p>
      ) : null}
    </section>
  )
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

function pretty(text: string): string {
  if (text === '') return 'The answer is empty.'
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
