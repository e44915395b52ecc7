import { useId, useState } from 'react'
import { Code, type CodeLang } from './code.tsx'
import { Segmented } from './segmented.tsx'

export interface Snippet {
  label: string
  code: string
  lang?: CodeLang | undefined
  copyText?: string | undefined
}

export interface SnippetsProps {
  tabs: readonly Snippet[]
  label?: string | undefined
  /** The chosen tab, where the address holds it. */
  value?: string | undefined
  onChange?: ((label: string) => void) | undefined
  onCopied?: (() => void) | undefined
  /** Wraps long lines, for a narrow column. */
  wrap?: boolean | undefined
}

/** The same call in several languages. */
export function Snippets(props: SnippetsProps) {
  const { tabs, label = 'Language', value, onChange, onCopied, wrap } = props
  const [own, setOwn] = useState(tabs[0]?.label ?? '')
  const id = useId()
  const chosen = tabs.find((tab) => tab.label === (value ?? own)) ?? tabs[0]
  if (chosen === undefined) return null
  return (
    <div className="min-w-0" id={id}>
      <div className="mb-2">
        <Segmented
          label={label}
          onChange={(next) => {
            setOwn(next)
            onChange?.(next)
          }}
          options={tabs.map((tab) => ({ value: tab.label, label: tab.label }))}
          value={chosen.label}
        />
      </div>
      <Code
        copyText={chosen.copyText}
        label={chosen.label}
        lang={chosen.lang}
        onCopied={onCopied}
        wrap={wrap}
      >
        {chosen.code}
      </Code>
    </div>
  )
}
