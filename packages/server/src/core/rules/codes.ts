declare const isDeclared: unique symbol

/**
 * The text of a decision code. Only `defineCodes` creates one, so a code without an explanation does
 * not compile. A code is part of the API and is never renamed.
 */
export type DecisionCode = string & { readonly [isDeclared]: true }

/** Whether a retry of the same request can get a different answer, and when. */
export const REPEATS = {
  no: 'Retrying the same request cannot help; change the request. After `approved`, a retry with a new `Idempotency-Key` would be a second spend.',
  later:
    'Waiting can help. `evaluationDetails.next.retryAfter` says when the same request would pass if nothing else is spent. It is null if the gateway cannot name a time.',
  after_change:
    'The same request can pass only after a person changes something, such as the mandate, the agent or the organization. Tell a person, and do not keep retrying.',
} as const

export type Repeat = keyof typeof REPEATS

/** The explanation of a code. The documents and the API's list of codes are generated from it. */
interface CodeDefinition {
  /** One sentence: what happened. */
  readonly meaning: string
  /** What the agent should do now. `next` refers to the field of the evaluation details. */
  readonly action: string
  readonly repeat: Repeat
}

export interface DeclaredCode extends CodeDefinition {
  readonly code: DecisionCode
}

export type Codes = Readonly<Record<string, DeclaredCode>>

export function defineCodes<Name extends string>(
  definitions: Readonly<Record<Name, CodeDefinition>>,
): Readonly<Record<Name, DeclaredCode>> {
  const declared = Object.entries<CodeDefinition>(definitions).map(([name, definition]) => [
    name,
    { code: name, ...definition },
  ])
  return Object.fromEntries(declared) as Record<Name, DeclaredCode>
}

/** The codes that arise in more than one place; all others are declared where they arise. */
export const sharedCodes = defineCodes({
  payee_mismatch: {
    meaning: 'The money would go to an address that is not known to belong to the vendor.',
    action:
      'Do not pay. Ask a person to check the address with the vendor and to add it to the vendor directory.',
    repeat: 'after_change',
  },
  category_blocked: {
    meaning:
      'The mandate blocks the category. On cards, `cash_equivalent`, `gambling` and `adult` are blocked unless a rule of the mandate and of each parent mandate allows exactly that category or its merchant category code.',
    action: 'Do not buy this, and do not send it under a different category.',
    repeat: 'no',
  },
  category_required: {
    meaning: 'The spend has no category, but a rule depends on it.',
    action:
      'Send the spend with its category. `POST /gateway/evaluate` never returns this code, because it requires a category.',
    repeat: 'no',
  },
  approval_required: {
    meaning: 'A person must approve the spend.',
    action:
      'Wait for the approval in `evaluationDetails.approval`: `GET /approvals/:id?wait=50`. Once it is approved, send the spend again with its id as `approvalId`. If there is no approval, tell a person. If `next.maxAmountNow` or `next.retryAfter` is set, a spend of that amount, or at that time, needs no approval.',
    repeat: 'after_change',
  },
  rule_error: {
    meaning: 'A rule could not be evaluated because of a defect, so it fails.',
    action: 'Tell the operator of the gateway.',
    repeat: 'after_change',
  },
})
