import { Code } from '../../ui/code.tsx'
import type { Entry } from './contents.ts'

const VERIFY = `import { verifyWebhook } from '@purser/sdk/webhooks'

const event = await verifyWebhook(await request.text(), request.headers, secret)`

/** The body that a receiver of an event gets. */
export function EventPane({ entry: { operation } }: { readonly entry: Entry }) {
  const example = operation.requestBody?.content['application/json']?.example
  return (
    <div className="grid content-start gap-5 p-4 tablet:p-6">
      {example === undefined ? null : (
        <section aria-label="Example of the payload" className="min-w-0">
          <h3 className="mb-1.5 text-small font-medium text-ink-3">Payload</h3>
          <Code lang="json" label="Example of the payload">
            {JSON.stringify(example, null, 2)}
          </Code>
        </section>
      )}
      <section aria-label="Verify the signature" className="min-w-0">
        <h3 className="mb-1.5 text-small font-medium text-ink-3">Verify the signature</h3>
        <Code lang="ts" label="Verify the signature">
          {VERIFY}
        </Code>
      </section>
    </div>
  )
}
