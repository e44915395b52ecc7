import { lazy, type ReactNode, Suspense } from 'react'

/** Most lists are not empty, so the code block loads when it is needed. */
const Code = lazy(() => import('./code.tsx').then((it) => ({ default: it.Code })))

export interface EmptyProps {
  /** One sentence about the things that will be here. */
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
          <Suspense fallback={<pre className="invisible py-3 leading-5">{command}</pre>}>
            <Code lang="bash">{command}</Code>
          </Suspense>
        </div>
      )}
    </div>
  )
}
