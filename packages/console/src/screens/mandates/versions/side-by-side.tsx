import type { Mandate, MandateVersion } from '@purser/sdk'
import { MandateWords } from '../../../parts/words/mandate-words.tsx'
import { TermDiff } from '../../../parts/words/term-diff.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { termRows } from '../../../words/mandate-diff.ts'
import { countOf } from '../../../words/text.ts'
import type { Pair } from './chosen-pair.ts'

interface SideBySideProps {
  readonly mandate: Mandate
  readonly versions: readonly MandateVersion[]
  readonly pair: Pair | undefined
  readonly onChoose: (side: 'a' | 'b', version: number) => void
}

/** Two versions: the terms that differ, then both whole, in words. */
export function SideBySide({ mandate, versions, pair, onChoose }: SideBySideProps) {
  if (!pair) return null
  const { a, b } = pair
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: nameOf(mandate, version),
  }))
  const changes = termRows(a, b).length
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label="Version on the left"
          look="button"
          onChange={(next) => onChoose('a', Number(next))}
          options={options}
          value={String(a.version)}
        />
        <span className="text-ink-2">beside</span>
        <NativeSelect
          aria-label="Version on the right"
          look="button"
          onChange={(next) => onChoose('b', Number(next))}
          options={options}
          value={String(b.version)}
        />
        <span className="ml-auto text-small text-ink-3" role="status">
          {changes === 0 ? 'No term differs' : countOf(changes, 'difference')}
        </span>
      </div>
      {changes > 0 ? (
        <TermDiff
          after={b}
          before={a}
          caption={`Versions ${a.version} and ${b.version}`}
          heads={[nameOf(mandate, a.version), nameOf(mandate, b.version)]}
        />
      ) : null}
      <div className="mt-4 grid gap-4 laptop:grid-cols-2">
        {[a, b].map((version, index) => (
          <Card key={index === 0 ? 'left' : 'right'}>
            <CardHeader title={nameOf(mandate, version.version)} />
            <CardBody>
              <MandateWords label={`Version ${version.version} in words`} terms={version} />
            </CardBody>
          </Card>
        ))}
      </div>
    </>
  )
}

function nameOf({ version: current, status }: Mandate, version: number): string {
  const isActive = version === current && status === 'active'
  return isActive ? `Version ${version}, active` : `Version ${version}`
}
