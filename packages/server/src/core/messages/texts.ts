import { type Instant, toIso } from '../time/instant.ts'

/** A message. It is always plain text, because in HTML a name could become a link or hide text. */
export interface MessageText {
  readonly subject: string
  readonly text: string
  /** A last line of a mail, which a chat leaves out. */
  readonly footer: string
}

/** The frame that all messages of an organization share. */
export interface Frame {
  readonly organization: string
  /** Undefined if the gateway does not know its own address. Messages then have no links. */
  readonly publicUrl: string | undefined
}

/** A message lists this many things, and counts the rest. */
export const LINES_MAX = 10

export interface WaitingApproval {
  /** The API's id. */
  readonly id: string
  readonly agent: string
  readonly amount: string
  readonly vendor: string
  readonly expiresAt: Instant
}

/** `more` counts the requests that the list leaves out. */
export function approvalsText(
  frame: Frame,
  approvals: readonly WaitingApproval[],
  more: number,
): MessageText {
  const lines = approvals.slice(0, LINES_MAX).flatMap((approval) => {
    const { agent, amount, vendor, expiresAt, id } = approval
    const what = `- ${toOneLine(agent)}: ${amount} at ${toOneLine(vendor)}, until ${toTime(expiresAt)}`
    return [what, ...linkOf(frame, `/approvals/${id}`).map((link) => `  ${link}`)]
  })
  const total = approvals.length + more
  const verb = total === 1 ? 'spend waits' : 'spends wait'
  return frameText(frame, `${total} ${verb} for approval`, [
    `${total} ${verb} for your answer:`,
    '',
    ...lines,
    ...moreLine(Math.max(0, approvals.length - LINES_MAX) + more),
    '',
    ...whereTo(frame, '/approvals', 'Sign in to approve or reject', 'the page Approvals'),
    'Opening a link approves nothing.',
  ])
}

export interface BudgetNote {
  readonly mandate: string | null
  /** The API's id of the mandate. */
  readonly mandateId: string
  readonly agent: string
  readonly spent: string
  readonly total: string
  readonly percent: number
}

export function budgetText(frame: Frame, notes: readonly BudgetNote[], more: number): MessageText {
  const lines = notes.slice(0, LINES_MAX).flatMap((note) => {
    const { agent, mandate, spent, total, percent, mandateId } = note
    const name = mandate === null ? 'a mandate' : `the mandate ${toOneLine(mandate)}`
    const what = `- ${toOneLine(agent)}: ${percent} % of ${name} is spent (${spent} of ${total})`
    return [what, ...linkOf(frame, `/mandates/${mandateId}`).map((link) => `  ${link}`)]
  })
  const what = budgetsReached(notes, more)
  return frameText(frame, what, [
    `${what}:`,
    '',
    ...lines,
    ...moreLine(Math.max(0, notes.length - LINES_MAX) + more),
    '',
    ...whereTo(frame, '/mandates', 'Sign in to see the mandates', 'the page Mandates'),
  ])
}

function budgetsReached(notes: readonly BudgetNote[], more: number): string {
  const count = notes.length + more
  // Those that are left out may be warnings.
  const areSpent = more === 0 && notes.every(({ percent }) => percent >= 100)
  if (areSpent) return count === 1 ? '1 budget is spent' : `${count} budgets are spent`
  return `${count === 1 ? '1 budget has' : `${count} budgets have`} reached a warning level`
}

export interface EndpointTrouble {
  /** The origins of paused receivers, such as `https://example.com`; null if one was removed. */
  readonly paused: readonly (string | null)[]
  readonly failed: number
  /** The origins of the receivers that deliveries failed to reach. */
  readonly receivers: readonly string[]
}

export function endpointsText(
  frame: Frame,
  { paused, failed, receivers }: EndpointTrouble,
): MessageText {
  const to = receivers.length === 0 ? '' : ` to ${receivers.map(toOneLine).join(', ')}`
  const what = failed === 1 ? '1 webhook delivery' : `${failed} webhook deliveries`
  const subject = paused.length > 0 ? 'A webhook endpoint is paused' : 'Webhook deliveries fail'
  return frameText(frame, subject, [
    ...paused.map(
      (receiver) =>
        `Every attempt to reach ${toOneLine(receiver ?? 'a webhook endpoint')} failed for five days, so Purser has paused it. Its events wait until you resume it.`,
    ),
    ...(failed === 0
      ? []
      : [
          `${what}${to} failed after the last retry. Purser does not retry ${failed === 1 ? 'it' : 'them'} by itself.`,
        ]),
    '',
    ...whereTo(
      frame,
      '/settings/webhook',
      'Sign in to see the attempts and to send again',
      'the page Settings, Webhook',
    ),
  ])
}

export interface InvitationText {
  /** The name of the inviting member; undefined for the operator. */
  readonly invitedBy: string | undefined
  readonly role: string
  readonly token: string
  readonly expiresAt: Instant
}

/** The only message with a secret: its link, which is good once. */
export function invitationText(frame: Frame, invitation: InvitationText): MessageText {
  const { invitedBy, role, token, expiresAt } = invitation
  const organization = toOneLine(frame.organization)
  const by = invitedBy === undefined ? 'You are invited' : `${toOneLine(invitedBy)} invites you`
  const [link] = linkOf(frame, `/accept#${token}`)
  const how =
    link === undefined
      ? ['Ask the person who invited you for the link.']
      : ['Open this link to choose a password:', link]
  return {
    subject: `Invitation to ${organization} on Purser`,
    footer: 'If you did not expect this invitation, ignore it.',
    text: [
      `${by} to the organization ${organization} on Purser, as ${role}.`,
      '',
      ...how,
      '',
      `The link works once, until ${toTime(expiresAt)}. Do not forward it.`,
    ].join('\n'),
  }
}

function frameText(frame: Frame, title: string, lines: readonly string[]): MessageText {
  const organization = toOneLine(frame.organization)
  const [link] = linkOf(frame, '/settings/me')
  return {
    subject: `${organization}: ${title}`,
    text: lines.join('\n'),
    footer: `Choose your messages in the settings of your account${link === undefined ? '.' : `: ${link}`}`,
  }
}

function whereTo(frame: Frame, path: string, action: string, page: string): string[] {
  const [link] = linkOf(frame, path)
  return [link === undefined ? `${action}: open ${page} of the console.` : `${action}: ${link}`]
}

function linkOf({ publicUrl }: Frame, path: string): string[] {
  return publicUrl === undefined ? [] : [`${publicUrl}${path}`]
}

function moreLine(more: number): string[] {
  return more > 0 ? [`- and ${more} more`] : []
}

/** Such as `2026-11-18 14:05 UTC`. */
function toTime(at: Instant): string {
  return `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`
}

/** Control characters, line and paragraph separators, and marks that change the writing direction. */
const BREAKING = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const LENGTH_MAX = 120

/**
 * A name as one line of a message. Names are checked when they are saved, but a message must not
 * depend on it: with a line break, a name could add headers or lines.
 */
export function toOneLine(text: string): string {
  const line = text.replace(BREAKING, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= LENGTH_MAX ? line : `${characters.slice(0, LENGTH_MAX - 1).join('')}…`
}
