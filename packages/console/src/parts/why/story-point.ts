/** A past or future event of a transaction. The timeline shows it with icons and links. */
export interface StoryPoint {
  readonly key: string
  readonly kind:
    | 'requested'
    | 'approved'
    | 'rejected'
    | 'asked'
    | 'recorded'
    | 'settled'
    | 'voided'
    | 'expired'
    | 'refunded'
    | 'adjusted'
    | 'logged'
    | 'delivered'
    | 'undelivered'
    | 'waiting'
    | 'said_yes'
    | 'said_no'
  readonly at: string | null
  readonly text: string
  /** The words of the link behind the text, and where it leads. */
  readonly link?: { readonly text: string; readonly href: string } | undefined
  /** The text after the link. */
  readonly after?: string | undefined
  readonly isPlanned?: boolean | undefined
}
