interface QuotedProps {
  /** The text of an agent. It may be anything. */
  readonly text: string
  /** Follows “unverified” in the line under the quotation. */
  readonly note?: string
  /** In a list of values: the size of the text around it. */
  readonly isSmall?: boolean
}

/**
 * Text that an agent wrote: a quotation without links or markup, whose direction cannot reach the
 * words around it.
 */
export function Quoted({ text, note, isSmall = false }: QuotedProps) {
  return (
    <blockquote
      className={`max-w-(--measure) ${isSmall ? '' : 'border-l-2 border-line-strong pl-4 text-read'}`}
    >
      <p className="whitespace-pre-wrap break-words">
        “<bdi>{showControls(text)}</bdi>”
      </p>
      <footer className="mt-1 text-small text-ink-3">
        The agent’s own words, unverified{note ? ` · ${note}` : ''}
      </footer>
    </blockquote>
  )
}

/** Control characters, which could reorder or hide text, become visible. */
export function showControls(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for these
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `[U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
