import { digestOf } from '../../core/audit/row-state.ts'
import type { ThingRow } from '../../storage/reconcile/things.ts'
import {
  listTermStates,
  listVersionTexts,
  type TermState,
  type VersionText,
} from '../../storage/reconcile/versions.ts'
import { pagesOf } from './pages.ts'
import { atMoment, type Place } from './place.ts'

const ROWS_AT_ONCE = 200
/** The smallest value of the column: a manipulated row may have a number below all versions. */
const BEFORE_ALL = -(2 ** 31)

type Mandate = Pick<ThingRow, 'id' | 'subject' | 'row'>

/**
 * Compares the earlier versions of a mandate: some change must have left each of them in its
 * current form. Every page is read in a snapshot of its own, because versions and leaves are only
 * ever added.
 */
export async function compareVersions(place: Place, mandate: Mandate): Promise<string | undefined> {
  const latest = Number(mandate.row['version'])
  const told = await readTold(place, mandate, latest)
  const read = (after: number) =>
    atMoment(place, ({ tx }) =>
      listVersionTexts(tx, place.organizationId, mandate.id, after, ROWS_AT_ONCE),
    )
  const paging = { first: BEFORE_ALL, size: ROWS_AT_ONCE }
  const present = new Set<number>()
  for await (const page of pagesOf(read, ({ version }) => version, paging)) {
    for (const { version } of page) present.add(version)
    const wrong = page.find((version) => !isTold(place, told, version))
    if (wrong)
      return `Version ${wrong.version} of ${mandate.subject} in mandate_versions matches no recorded change.`
  }
  const missing = [...told.states.keys()].find((version) => !present.has(version))
  if (missing === undefined) return undefined
  return `Version ${missing} of ${mandate.subject} in mandate_versions is missing.`
}

/** The states of a mandate's versions according to the audit log. */
interface Told {
  readonly latest: number
  readonly states: ReadonlyMap<number, readonly TermState[]>
  /** Whether an older gateway may have made versions: its changes do not say which. */
  readonly isOlder: boolean
}

async function readTold(place: Place, { subject }: Mandate, latest: number): Promise<Told> {
  const states = new Map<number, TermState[]>()
  let [version, isNamed, isOlder] = [1, false, false]
  let isLate = false
  const read = (after: bigint) =>
    atMoment(place, ({ tx, log }) => {
      isLate = log.isLate
      return listTermStates(tx, place.organizationId, subject, after, ROWS_AT_ONCE)
    })
  const paging = { first: -1n, size: ROWS_AT_ONCE }
  for await (const page of pagesOf(read, ({ index }) => index, paging)) {
    for (const state of page) {
      isNamed ||= state.isFirst
      isOlder ||= state.terms === null
      // Versions only grow, so one pass over the versions finds the version of every state.
      const found = versionOf(state, version, latest)
      if (found === undefined) continue
      version = found
      states.set(version, [...(states.get(version) ?? []), state])
    }
  }
  return { latest, states, isOlder: isOlder || (isLate && !isNamed) }
}

function versionOf({ salt, version }: TermState, from: number, to: number): number | undefined {
  if (salt === null || version === null) return undefined
  for (let each = from; each <= to; each++) {
    if (digestOf('version', `${each}`, salt) === version) return each
  }
  return undefined
}

function isTold(
  { counts }: Place,
  { latest, states, isOlder }: Told,
  { version, terms, termsWithLevels, isBeyond }: VersionText,
): boolean {
  // A version made meanwhile is left to the next run.
  if (version > latest) return !isBeyond
  const own = states.get(version)
  if (own) {
    return own.some((state) => isLeftBy(state, terms) || isLeftBy(state, termsWithLevels))
  }
  if (isOlder) counts.older += 1
  return isOlder
}

function isLeftBy({ salt, terms: digest }: TermState, terms: string): boolean {
  return salt !== null && digestOf('terms', terms, salt) === digest
}
