import { Problem } from '../../base/errors.ts'

/** Takes the id as the API shows it. */
export function mandateNotFound(id: string): Problem {
  return new Problem('mandate_not_found', `Mandate ${id} does not exist in this organization.`)
}
