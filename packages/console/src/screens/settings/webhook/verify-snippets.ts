import type { Snippet } from '../../../ui/snippets.tsx'

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')

// body: the raw bytes of the request
export function isGenuine(headers, body) {
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`

const PYTHON = `import base64, hashlib, hmac, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

# body: the raw bytes of the request
def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f'{headers.get("webhook-id", "")}.{timestamp}.'.encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), b"v1," + expected) for one in given)`

const STANDARD = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks'

// throws if the signature is wrong or the request is too old
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, request.headers)`

/** How a server verifies a webhook, as in docs/guide-webhooks.md. */
export const VERIFY_SNIPPETS: readonly Snippet[] = [
  { label: 'Node', lang: 'ts', code: NODE },
  { label: 'Python', lang: 'python', code: PYTHON },
  { label: 'standardwebhooks', lang: 'ts', code: STANDARD },
]
