import type { Organization, WebhookEndpointInput } from '@purser/sdk'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'

interface Words {
  /** Names the action, for the dialog that asks for the password. */
  readonly sentence: string
  readonly done?: string
  readonly onDone?: (organization: Organization) => void
}

/** Sends a new list of endpoints. */
export function useEndpoints({ sentence, done, onDone }: Words) {
  return useAction({
    run: (webhookEndpoints: readonly WebhookEndpointInput[], options) =>
      purser.organization.update({ webhookEndpoints }, options),
    sentence,
    touches: [['organization'], ['deliveries']],
    done: () => done,
    ...(onDone && { onDone }),
  })
}
