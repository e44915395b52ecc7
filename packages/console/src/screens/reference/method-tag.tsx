import { cx } from '../../ui/cx.ts'

/** The HTTP method, in letters of equal width, so that the words beside it line up. */
export function MethodTag({ method }: { readonly method: string | undefined }) {
  return (
    <span
      className={cx(
        'inline-block w-11 flex-none font-mono text-micro font-medium',
        method === 'GET' ? 'text-ink-3' : 'text-accent',
      )}
    >
      {method === 'DELETE' ? 'DEL' : (method ?? 'EVENT')}
    </span>
  )
}
