import type { WebhookAttemptRequest, WebhookAttemptResponse } from '@purser/sdk'

/** The head of the request as a text, with the headers in the order in which they were sent. */
export function requestText(
  { url, headers }: WebhookAttemptRequest,
  longest = Number.POSITIVE_INFINITY,
): string {
  const lines = headerLines(headers).map((line) =>
    line.length > longest ? `${line.slice(0, longest)}…` : line,
  )
  return [`POST ${url}`, ...lines].join('\n')
}

export function answerText({ status, headers, body }: WebhookAttemptResponse): string {
  const head = [`HTTP ${status}`, ...headerLines(headers)].join('\n')
  return body === '' ? head : `${head}\n\n${body}`
}

/** JSON with line breaks, for reading. The copy is the body as it was sent. */
export function bodyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}
