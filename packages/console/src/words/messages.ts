import type { GetMessagesAnswer } from '../generated/console-api.ts'

export type MessageKind = GetMessagesAnswer['kinds'][number]

/** The kinds of messages to people, in words. */
export const MESSAGE_WORDS: Readonly<
  Record<MessageKind, { readonly label: string; readonly help: string }>
> = {
  approvals: {
    label: 'Approvals',
    help: 'A spend waits for an answer.',
  },
  budget: {
    label: 'Budgets',
    help: 'A budget has reached a warning level, or is spent.',
  },
  endpoints: {
    label: 'Webhook',
    help: 'Deliveries failed after the last retry.',
  },
}

export const MESSAGE_KINDS: readonly MessageKind[] = ['approvals', 'budget', 'endpoints']

/** The kinds after one of them was switched, in the usual order. */
export function switched(
  kinds: readonly MessageKind[],
  kind: MessageKind,
  isOn: boolean,
): MessageKind[] {
  return MESSAGE_KINDS.filter((one) => (one === kind ? isOn : kinds.includes(one)))
}
