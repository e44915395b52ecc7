import { useTitle } from '../page/use-title.ts'
import { Link } from '../router/link.tsx'

/** An address that no screen has, or an object that this organization does not have. */
export function NotFound({ what = 'page' }: { readonly what?: string }) {
  useTitle('Not found')
  return (
    <main className="grid flex-1 place-items-center px-6 py-16 text-center">
      <div>
        <h1 className="text-title font-strong tracking-tight">There is no such {what}.</h1>
        <p className="mt-2 text-read text-ink-2">
          The address may be mistyped, or it belongs to a different organization.{' '}
          <Link to="/">Go to the overview</Link>
        </p>
      </div>
    </main>
  )
}
