/** Words of the document: text between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  return text.split(/(`[^`]+`)/).map((part, index) =>
    part.startsWith('`') && part.length > 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have a fixed order.
      <code key={index} className="rounded-1 bg-well px-1 wrap-anywhere">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  )
}
