import { sqlStateOf } from './storage-error.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

/** Says what to grant if the database refused because of missing rights; otherwise the error itself. */
export function explainMissingRights(error: unknown, databaseUrl: string | undefined): unknown {
  const reason = findRefusal(error)
  if (reason === undefined || databaseUrl === undefined) return error
  const { username, pathname } = new URL(databaseUrl)
  const role = decodeURIComponent(username) || 'the role'
  const database = decodeURIComponent(pathname.slice(1)) || role
  return new Error(
    `The database role ${role} has not the rights that Purser needs: ${reason}. Make it the owner of the database, as somebody who may:  alter database "${database}" owner to "${role}";  or, if the tables are somebody else's:  grant all on schema public to "${role}"; grant all on all tables in schema public to "${role}";`,
    { cause: error },
  )
}

/** The database's own words; a migration wraps them. */
function findRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (sqlStateOf(error) === INSUFFICIENT_PRIVILEGE) return error.message
  return findRefusal(error.cause)
}
