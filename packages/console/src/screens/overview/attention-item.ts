/** Something that needs a person, with one verb. */
export interface Attention {
  readonly kind: AttentionKind
  readonly tone: 'ask' | 'no'
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly link: AttentionLink
}

export type AttentionKind =
  | 'approvals'
  | 'exhausted'
  | 'webhook'
  | 'cards'
  | 'near'
  | 'keys'
  | 'plan'

export interface AttentionLink {
  readonly to: string
  readonly id?: string
  readonly search?: Readonly<Record<string, string>>
}
