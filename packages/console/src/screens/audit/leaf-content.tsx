import type { AuditEntry } from '@purser/sdk'
import { Archive } from 'lucide-react'
import { Id } from '../../parts/id.tsx'
import { showControls } from '../../parts/quoted.tsx'
import { Link } from '../../router/link.tsx'
import { Code } from '../../ui/code.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Diff } from '../../ui/diff.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { placeOfId } from '../../words/ids.ts'
import { fieldChanges } from '../../words/leaf/fields.ts'
import { fieldsOf } from '../../words/leaf/pieces.ts'
import { actorName, kindWords } from '../../words/leaf-sentences.ts'
import { shortId } from '../../words/text.ts'
import { formatExact } from '../../words/time.ts'
import type { AuditNames } from './use-leaf-names.ts'

interface ContentProps {
  readonly entry: AuditEntry
  readonly names: AuditNames
}

/** The change, its author, its time, its subject, and the leaf as the log has it. */
export function LeafContent({ entry, names }: ContentProps) {
  const { kind, subject, at, actorId, payload } = entry
  const place = placeOfId(subject)
  const about = names.nameOf(subject) ?? shortId(subject)
  return (
    <>
      <DrawerSection title={kind.startsWith('change.') ? 'What changed' : 'The leaf'}>
        {payload === null ? (
          <Notice className="mb-3" icon={<Archive aria-hidden size={16} strokeWidth={1.5} />}>
            Your retention rule removed the content of this leaf. Its hash stays.
          </Notice>
        ) : (
          <Changes entry={entry} names={names} />
        )}
        <DescriptionList
          rows={[
            { label: 'Who', value: <Who entry={entry} names={names} /> },
            { label: 'When', value: formatExact(new Date(at), names.timezone) },
            {
              label: 'About',
              value: place ? <Link to={place}>{about}</Link> : <bdi>{about}</bdi>,
            },
            { label: 'Kind', value: kindWords(kind) },
            { label: 'Subject', value: <Id value={subject} /> },
            { label: 'Actor', value: actorId === null ? null : <Id value={actorId} /> },
            { label: 'Leaf hash', value: <Id value={entry.leaf} /> },
          ]}
        />
      </DrawerSection>
      <DrawerSection title="Raw leaf">
        <details>
          <summary className="cursor-pointer text-small text-ink-2 hover:text-ink">
            Show as JSON
          </summary>
          <div className="mt-2">
            <Code label="Raw leaf" lang="json" wrap>
              {JSON.stringify(entry, null, 2)}
            </Code>
          </div>
        </details>
      </DrawerSection>
    </>
  )
}

function Changes({ entry, names }: ContentProps) {
  const { payload, subject, kind } = entry
  if (!kind.startsWith('change.')) return null
  const { before, after } = fieldsOf(payload)
  const words = { ...names, currency: names.currencyOf(subject) }
  const rows = fieldChanges(before, after, words).filter(
    (change) => change.before !== undefined || change.after !== undefined,
  )
  if (rows.length === 0) return null
  return (
    <div className="mb-3">
      <Diff
        caption="What changed"
        heads={['Before', 'After']}
        rows={rows.map(({ label, before: old, after: now }) => ({
          label,
          before: old === undefined ? undefined : <Value text={old} />,
          after: now === undefined ? undefined : <Value text={now} />,
        }))}
      />
    </div>
  )
}

/** Values come from people and programs: their direction stays inside. */
function Value({ text }: { readonly text: string }) {
  return <bdi className="wrap-anywhere">{showControls(text)}</bdi>
}

function Who({ entry, names }: ContentProps) {
  const { actorId } = entry
  const place = actorId === null ? undefined : placeOfId(actorId)
  const name = <bdi>{actorName(entry, names)}</bdi>
  return place ? <Link to={place}>{name}</Link> : name
}
