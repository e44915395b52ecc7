import type { ReactNode } from 'react'
import { Code } from './code.tsx'

export interface EmptyProps {
  /** One sentence: what will be here. */
  title: ReactNode
  children?: ReactNode
  /** One verb. */
  action?: ReactNode
  /** A command that fills the place. */
  command?: string | undefined
}

export function Empty({ title, children, action, command }: EmptyProps) {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center text-ink-2">
      <b>{title}</b>
      {children !== undefined && (
        <div className="mt-1 max-w-[52ch] text-balance" data-prose="">
          {children}
        </div>
      )}
      {action !== undefined && (
        <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>
      )}
      {command !== undefined && (
        <div className="mt-4 w-full max-w-160 text-left">
          <Code lang="bash">{command}</Code>
        </div>
      )}
    </div>
  )
}
