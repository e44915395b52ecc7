import type {
  CardConnection,
  CardConnectionChange,
  CardConnectionInput,
  CardFailMode,
  CardProvider,
} from '@purser/sdk'
import { changesOf } from '../../page/changes.ts'
import { FIRST_ISSUER } from './providers.ts'

/** A connection as a person fills it in. */
export interface ConnectionForm {
  readonly provider: CardProvider
  readonly name: string
  readonly failMode: CardFailMode
  readonly failOpenMaxAmount: string
  readonly deadlineMs: string
  readonly partialApprovals: boolean
  readonly pauseOnOverCapture: boolean
  readonly authorizationSecret: string
  readonly eventsSecret: string
}

export function toConnectionForm(connection: CardConnection | undefined): ConnectionForm {
  return {
    provider: connection?.provider ?? FIRST_ISSUER.provider,
    name: connection?.name ?? '',
    failMode: connection?.failMode ?? 'closed',
    failOpenMaxAmount: connection?.failOpenMaxAmount?.toString() ?? '',
    deadlineMs: connection?.deadlineMs.toString() ?? '',
    partialApprovals: connection?.partialApprovals ?? false,
    pauseOnOverCapture: connection?.pauseOnOverCapture ?? false,
    ...{ authorizationSecret: '', eventsSecret: '' },
  }
}

export function toConnectionInput(form: ConnectionForm): CardConnectionInput {
  return { provider: form.provider, ...termsOf(form), ...secretsOf(form) }
}

/** The terms that differ from those of the connection as the form began. */
export function toConnectionChange(
  form: ConnectionForm,
  connection: CardConnection,
): CardConnectionChange {
  const changed = changesOf(termsOf(form), termsOf(toConnectionForm(connection)))
  return { ...changed, ...secretsOf(form) }
}

function termsOf(form: ConnectionForm) {
  const deadline = form.deadlineMs.trim()
  const amount = form.failOpenMaxAmount.trim()
  return {
    name: form.name.trim(),
    failMode: form.failMode,
    failOpenMaxAmount: form.failMode === 'open' && amount !== '' ? Number(amount) : null,
    ...(deadline === '' ? {} : { deadlineMs: Number(deadline) }),
    partialApprovals: form.partialApprovals,
    pauseOnOverCapture: form.pauseOnOverCapture,
  }
}

function secretsOf({ authorizationSecret: authorization, eventsSecret: events }: ConnectionForm) {
  if (authorization === '' && events === '') return {}
  return {
    secrets: {
      ...(authorization === '' ? {} : { authorization }),
      ...(events === '' ? {} : { events }),
    },
  }
}
