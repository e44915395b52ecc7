import { useTitle } from '../../page/use-title.ts'
import { Link } from '../../router/link.tsx'

/** The id belongs to no mandate of this organization. */
export function MissingMandate() {
  useTitle('Not found')
  return (
    <div className="grid flex-1 place-items-center px-6 py-16 text-center">
      <div>
        <h1 className="text-title font-strong tracking-tight">There is no such mandate.</h1>
        <p className="mt-2 text-read text-ink-2">
          It may have been a draft that was deleted, or it belongs to a different organization.{' '}
          <Link to="/mandates">See all mandates</Link>
        </p>
      </div>
    </div>
  )
}
