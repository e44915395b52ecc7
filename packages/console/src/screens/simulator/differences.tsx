import type { Simulation } from '@purser/sdk'
import { ScrollText } from 'lucide-react'
import { Code } from '../../ui/code.tsx'
import { Notice } from '../../ui/notice.tsx'
import { differenceWords } from '../../words/differences.ts'

/** Whether the stored inputs still give the stored decision. */
export function Differences({ answer }: { readonly answer: Simulation }) {
  const { differs = [] } = answer
  return (
    <>
      <Notice
        tone={differs.length === 0 ? 'ok' : 'ask'}
        icon={<ScrollText size={16} strokeWidth={1.75} aria-hidden />}
        title="Judged again from the record:"
      >
        {differenceWords(answer)}
      </Notice>
      {differs.length === 0 ? null : (
        <Code lang="json" label="The fields that differ" wrap>
          {JSON.stringify(differs, null, 2)}
        </Code>
      )}
    </>
  )
}
