import { MESSAGE_CHATS } from '../storage/messages/chats.ts'
import { INVITATION_TOKENS } from '../storage/messages/invitation-mails.ts'
import {
  endpointSecrets,
  type SealedValues,
  storedAnswers,
  webhookSecrets,
} from '../storage/secrets/sealed-values.ts'
import { INSTALLATION_VALUES } from '../storage/tokens/signing-keys.ts'
import { WEBHOOK_URLS } from '../storage/webhooks/urls.ts'
import type { Config } from './config.ts'

/** All kinds of sealed values, with those of the payment paths. */
export function sealedValues({ paths }: Pick<Config, 'paths'>): SealedValues[] {
  return [
    ...webhookSecrets(),
    ...endpointSecrets(),
    WEBHOOK_URLS,
    MESSAGE_CHATS,
    INVITATION_TOKENS,
    storedAnswers(),
    ...paths.flatMap(({ sealed }) => sealed ?? []),
    ...INSTALLATION_VALUES,
  ]
}
