import type { MandateVersion } from '@purser/sdk'
import { When } from '../../../parts/when.tsx'
import { MandateWords } from '../../../parts/words/mandate-words.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Tag } from '../../../ui/tag.tsx'
import { compareSentences, countChanges } from '../../../words/mandate-words.ts'
import { actorName } from '../sentences.ts'
import type { Pair } from './chosen-pair.ts'

interface VersionListProps {
  readonly versions: readonly MandateVersion[]
  readonly pair: Pair | undefined
  readonly onChoose: (side: 'a' | 'b', version: number) => void
}

/** Every version: who made it, when, and the words that changed. */
export function VersionList({ versions, pair, onChoose }: VersionListProps) {
  return (
    <ol aria-label="Versions, newest first">
      {versions.map((version, index) => (
        <Entry
          before={versions[index + 1]}
          key={version.version}
          onChoose={onChoose}
          pair={pair}
          version={version}
        />
      ))}
    </ol>
  )
}

interface EntryProps extends Omit<VersionListProps, 'versions'> {
  readonly version: MandateVersion
  readonly before: MandateVersion | undefined
}

function Entry({ version, before, pair, onChoose }: EntryProps) {
  const { version: number, changedBy, changedByName, changedAt } = version
  const side = pair?.a === version ? 'left' : pair?.b === version ? 'right' : undefined
  return (
    <li
      className={cx(
        'border-b border-line px-4 py-3 tablet:px-6',
        side && 'bg-selected shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="font-strong">Version {number}</h2>
        {side ? <Tag>{side === 'left' ? 'on the left' : 'on the right'}</Tag> : null}
        <span className="ml-auto flex gap-1">
          <Button
            aria-label={`Show version ${number} on the left`}
            onClick={() => onChoose('a', number)}
            size="sm"
            variant="quiet"
          >
            Left
          </Button>
          <Button
            aria-label={`Show version ${number} on the right`}
            onClick={() => onChoose('b', number)}
            size="sm"
            variant="quiet"
          >
            Right
          </Button>
        </span>
      </div>
      <p className="text-small text-ink-3">
        {actorName(changedBy, changedByName)}, <When ago at={changedAt} />
      </p>
      <div className="mt-1.5 text-small">
        <Changed before={before} version={version} />
      </div>
    </li>
  )
}

function Changed({ version, before }: Pick<EntryProps, 'version' | 'before'>) {
  if (!before) return version.version === 1 ? 'The first version.' : null
  const renamed = before.name === version.name ? null : <p>Renamed to “{version.name}”.</p>
  if (countChanges(compareSentences(before, version)) === 0) {
    return renamed ?? 'No term changed.'
  }
  return (
    <>
      {renamed}
      <MandateWords
        before={before}
        changesOnly
        label={`Changes of version ${version.version}`}
        terms={version}
      />
    </>
  )
}
