import type { Part } from '../../words/rule-words.ts'

/** One sentence, with its figures and names in strong type. */
export function SentenceText({ parts }: { readonly parts: readonly Part[] }) {
  return parts.map((part, index) => {
    if (typeof part === 'string') return part
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move.
    if ('code' in part) return <code key={index}>{part.code}</code>
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move.
      <b className="text-ink" key={index}>
        <bdi>{part.strong}</bdi>
      </b>
    )
  })
}
