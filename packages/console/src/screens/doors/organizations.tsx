import { ChevronRight } from 'lucide-react'

interface OrganizationsProps {
  /** The problem that lists the organizations of this address. */
  readonly problem: unknown
  readonly onChoose: (id: string) => void
}

interface Choice {
  readonly id: string
  readonly name: string
}

/** One press chooses among the organizations that know the address and password. */
export function Organizations({ problem, onChoose }: OrganizationsProps) {
  return (
    <section aria-label="Organizations" className="mt-5">
      <p className="mb-2 text-read">Which organization?</p>
      <ul className="overflow-hidden rounded-3 border border-line">
        {readChoices(problem).map(({ id, name }) => (
          <li key={id} className="border-line not-first:border-t">
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="flex w-full items-center justify-between px-4 py-3 text-left font-medium hover:bg-hover"
            >
              {name}
              <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function readChoices(problem: unknown): readonly Choice[] {
  const { organizations } = Object(problem) as { organizations?: unknown }
  return Array.isArray(organizations) ? (organizations as Choice[]) : []
}
