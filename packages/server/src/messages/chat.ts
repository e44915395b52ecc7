import { VERSION } from '../base/version.ts'
import type { MessageText } from '../core/messages/texts.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { SendResult } from './mailer.ts'

const TIMEOUT_MS = 5_000

/**
 * Posts a message to a Slack-compatible webhook, through the guard that webhooks have. The response
 * does not matter beyond its status.
 */
export async function postToChat(
  outbound: Pick<OutboundClient, 'call'>,
  url: string,
  { subject, text }: MessageText,
): Promise<SendResult> {
  const result = await outbound.call({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'user-agent': `Purser/${VERSION}` },
    body: JSON.stringify({ text: toChatText(`${subject}\n${text}`) }),
    timeoutMs: TIMEOUT_MS,
    answerBytesMax: 0,
  })
  if (result.kind !== 'answer') return { isSent: false, isFinal: false, code: result.reason }
  if (result.status >= 200 && result.status < 300) return { isSent: true }
  return { isSent: false, isFinal: false, code: `http_${result.status}` }
}

/** Without this, a name such as `<!channel>` would alert everyone, and others could show false links. */
export function toChatText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
