import { useMemo } from 'react'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'
import { type CodeLang, type TokenKind, tokenize } from './tokenize.ts'

export type { CodeLang } from './tokenize.ts'

const COLOUR: Record<TokenKind, string | undefined> = {
  text: undefined,
  key: 'text-code-key',
  string: 'text-code-str',
  dim: 'text-code-dim',
}

/** A block that scrolls must be reachable by keyboard, and then it needs a role to have a name. */
function reachable(name: string) {
  return { role: 'group', tabIndex: 0, 'aria-label': name } as const
}

export interface CodeProps {
  children: string
  lang?: CodeLang | undefined
  /** The name of the block for screen readers. */
  label?: string | undefined
  /** The text to copy, if it differs from the shown text, such as for a masked key. */
  copyText?: string | undefined
  /** Wraps long lines at every width. Otherwise only below 861 px. */
  wrap?: boolean | undefined
  onCopied?: (() => void) | undefined
}

/** A dark block of code with a copy button. */
export function Code({ children, lang = 'text', label, copyText, wrap, onCopied }: CodeProps) {
  const tokens = useMemo(() => tokenize(children, lang), [children, lang])
  return (
    <div className="relative min-w-0">
      <pre
        className={cx(
          'overflow-auto rounded-3 border border-transparent bg-code-bg in-data-[theme=dark]:border-line py-3 pr-13 pl-3.5 font-mono text-small leading-5 font-[450] whitespace-pre-wrap text-code-ink wrap-anywhere [font-feature-settings:"zero"_1] [tab-size:2]',
          !wrap && 'tablet:whitespace-pre',
        )}
        {...reachable(label ?? `Code, ${lang}`)}
      >
        {tokens.map((token, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity of their own.
          <span className={COLOUR[token.kind]} key={index}>
            {token.text}
          </span>
        ))}
      </pre>
      {/* Long lines scroll behind the button, so it has the ground of the block, dark in both themes. */}
      <div className="absolute top-1.5 right-1.5 rounded-2 bg-code-bg">
        <div data-theme="dark">
          <CopyButton
            iconOnly
            label="Copy"
            onCopied={onCopied}
            size="sm"
            text={copyText ?? children}
          />
        </div>
      </div>
    </div>
  )
}
