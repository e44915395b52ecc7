import type { PathName, Simulation } from '@purser/sdk'
import { useSyncExternalStore } from 'react'
import type { VerdictKind } from '../../words/verdict.ts'
import { verdictOf } from '../../words/verdict.ts'
import type { SimulatorSearch } from './spend.ts'

/** An answer that this tab has seen. */
export interface PastAnswer {
  /** The address that shows it again. */
  readonly search: SimulatorSearch
  readonly agentId: string
  readonly amount: number
  readonly currency: string | null
  readonly vendor: string
  readonly category: string | null
  readonly path: PathName
  readonly kind: VerdictKind
  readonly code: string
  /** When this page got the answer (ISO 8601). */
  readonly at: string
}

const SHOWN_MAX = 20
const NONE: readonly PastAnswer[] = []

interface Store {
  readonly owner: string
  readonly answers: readonly PastAnswer[]
}

let store: Store = { owner: '', answers: NONE }
const listeners = new Set<() => void>()

/** The answers of this session, newest first. They stay in this tab only. */
export function useHistory(owner: string): readonly PastAnswer[] {
  return useSyncExternalStore(watch, () => {
    if (store.owner !== owner) store = { owner, answers: read(owner) }
    return store.answers
  })
}

/** Adds an answer. The same spend is listed once, with its latest answer. */
export function remember(owner: string, answer: PastAnswer): void {
  const before = store.owner === owner ? store.answers : read(owner)
  set(owner, withAnswer(before, answer))
}

export function forgetAll(owner: string): void {
  set(owner, NONE)
}

export function withAnswer(
  before: readonly PastAnswer[],
  answer: PastAnswer,
): readonly PastAnswer[] {
  const key = JSON.stringify(answer.search)
  const others = before.filter(({ search }) => JSON.stringify(search) !== key)
  return [answer, ...others].slice(0, SHOWN_MAX)
}

interface Told {
  readonly search: SimulatorSearch
  readonly answer: Simulation
  readonly currency: string | null
  readonly path: PathName
}

export function pastAnswerOf({ search, answer, currency, path }: Told): PastAnswer {
  const { agentId, amount, vendor, category, decision, status, evaluationDetails } = answer
  const { code } = evaluationDetails
  const at = new Date().toISOString()
  const kind = verdictOf(decision, code, status)
  return { search, agentId, amount, currency, vendor, category, path, kind, code, at }
}

function set(owner: string, answers: readonly PastAnswer[]): void {
  store = { owner, answers }
  try {
    sessionStorage.setItem(nameOf(owner), JSON.stringify(answers))
  } catch {
    // The list lasts until the page is loaded again.
  }
  for (const listener of listeners) listener()
}

function read(owner: string): readonly PastAnswer[] {
  try {
    const answers: unknown = JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? '[]')
    return Array.isArray(answers) ? answers : NONE
  } catch {
    return NONE
  }
}

function nameOf(owner: string): string {
  return `purser.simulations.${owner}`
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
