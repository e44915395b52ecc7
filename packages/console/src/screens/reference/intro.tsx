import type { ApiDocument } from '../../data/openapi.ts'
import { Link } from '../../router/link.tsx'
import { Code } from '../../ui/code.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import type { EntryGroup } from './contents.ts'

interface IntroProps {
  readonly document: ApiDocument
  readonly groups: readonly EntryGroup[]
}

/** How to call the API, and where to begin. */
export function Intro({ document, groups }: IntroProps) {
  const operations = groups.flatMap(({ entries }) => entries).filter(({ method }) => method)
  return (
    <div className="max-w-190 p-4 tablet:p-6">
      <h2 className="text-title font-strong tracking-tight">{operations.length} operations</h2>
      <p className="mt-2 text-read text-ink-2">{document.info.description}</p>
      <div className="mt-4">
        <DescriptionList
          wide
          rows={[
            { label: 'Address', value: <code>{location.origin}/api/v1</code> },
            {
              label: 'Authentication',
              value: (
                <>
                  <code>Authorization: Bearer psr_…</code>, a{' '}
                  <Link to="/keys" className="underline">
                    key
                  </Link>{' '}
                  with the scopes of its calls.
                </>
              ),
            },
            {
              label: 'Retries',
              value: 'A POST or PATCH with the same Idempotency-Key and body takes effect once.',
            },
            {
              label: 'Errors',
              value: 'RFC 9457 problem details, with a code, a sentence and the request id.',
            },
            { label: 'Document', value: <a href="/openapi.json">/openapi.json</a> },
            { label: 'Version', value: document.info.version },
          ]}
        />
      </div>
      <div className="mt-5">
        <Code lang="bash" label="A first call">
          {`curl '${location.origin}/api/v1/agents' \\\n  -H "Authorization: Bearer $PURSER_API_KEY"`}
        </Code>
      </div>
      <dl className="mt-6 grid gap-x-6 gap-y-3 phone:grid-cols-[9rem_minmax(0,1fr)]">
        {groups.map(({ name, description, entries: [first] }) => (
          <div className="contents" key={name}>
            <dt className="font-medium">
              <Link to="/reference/{-$operationId}" params={{ operationId: first?.id }} search>
                {name}
              </Link>
            </dt>
            <dd className="text-ink-2 max-phone:-mt-2">{description}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
