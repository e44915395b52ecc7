import { isNode, mapSchemas, type Place, type WrittenDocument } from './map-schemas.ts'

/** Marks a description that stays at the use of a named object, because it tells more than its name. */
export const SAID_AT_USE = 'x-said-at-use'

/**
 * The name of every object inside another schema, by its place. The same name in two places is one
 * component, so the objects must be equal.
 */
const OBJECT_NAMES: Readonly<Record<string, string>> = {
  'AcpCheckout.lineItems': 'AcpLineItem',
  'AcpCheckout.totals': 'AcpTotal',
  'AcpCheckoutAnswer.authentication': 'AcpAuthentication',
  'AcpCheckoutAnswer.failure': 'AcpFailure',
  'AcpCheckoutAnswer.order': 'AcpOrder',
  'AcpCheckoutInput.expect': 'AcpExpectation',
  'Analytics.ignored': 'IgnoredRule',
  'AnalyticsRow.asked': 'CountedAmount',
  'AnalyticsRow.group': 'AnalyticsGroup',
  'AnalyticsRow.names': 'AnalyticsNames',
  'AnalyticsRow.used': 'CountedAmount',
  'Approval.history': 'ApprovalHistory',
  'ApprovalDecision.actor': 'ApprovalActor',
  'CardAuthorizeInput.card': 'CardReference',
  'CardAuthorizeInput.merchant': 'CardMerchant',
  'CardConnection.secrets': 'CardSecrets',
  'CardConnectionChange.secrets': 'CardSecretsInput',
  'CardConnectionInput.secrets': 'CardSecretsInput',
  'CardEventInput.card': 'CardReference',
  'CardEventInput.merchant': 'CardMerchant',
  'DecidedApproval.history': 'ApprovalHistory',
  'EvaluationDetails.budget': 'DecisionBudget',
  'EvaluationDetails.next': 'NextOptions',
  'FlippedDecision.after': 'ReplayedDecision',
  'FlippedDecision.before': 'OriginalDecision',
  'Introspection.budget': 'TokenBudget',
  'Introspection.proposed': 'ProposedDecision',
  'Introspection.proposed.next': 'ProposedOptions',
  'IntrospectionInput.proposed': 'ProposedSpend',
  'LimitRule.match': 'LimitMatch',
  'LimitRuleInput.match': 'LimitMatch',
  'Organization.acp': 'OrganizationAcp',
  'OrganizationChange.acp': 'OrganizationAcpChange',
  'OrganizationChange.retention': 'RetentionChange',
  'Problem.errors': 'FieldError',
  'RejectedEventData.reasons': 'RejectionReason',
  'ScheduleRule.windows': 'ScheduleWindow',
  'ScheduleRuleInput.windows': 'ScheduleWindow',
  SendTestEvent: 'TestEventInput',
  'SimulationInput.hold': 'HoldInput',
  'SpendInput.hold': 'HoldInput',
  'Usage.agents': 'PlanUsage',
  'Usage.evaluations': 'PlanUsage',
  'Usage.requestsPerMinute': 'RequestRate',
  'Vendor.x402Payees': 'VendorX402Payee',
  'VendorAcp.handler': 'AcpHandler',
  'VendorAcpChange.handler': 'AcpHandler',
  'VendorAcpInput.handler': 'AcpHandler',
  'VendorChange.x402Payees': 'VendorX402Payee',
  'VendorInput.x402Payees': 'VendorX402Payee',
  'WebhookAttempt.error': 'WebhookAttemptError',
  'WebhookAttempt.request': 'WebhookAttemptRequest',
  'WebhookAttempt.response': 'WebhookAttemptResponse',
  'X402Payment.resourceError': 'X402ResourceError',
  'X402PaymentInput.request': 'X402Request',
}

/** Gives every object with fields a title, from which its component gets its name. */
export function withObjectNames(document: WrittenDocument): WrittenDocument {
  return mapSchemas(document, (schema, place) => {
    const { title, properties, description, ...others } = schema
    if (typeof title === 'string' || !isNode(properties)) return schema
    const name = Object.keys(properties).length === 0 ? undefined : nameOf(place)
    if (name === undefined) return schema
    return {
      ...others,
      properties,
      title: name,
      ...(description !== undefined && { [SAID_AT_USE]: description }),
    }
  })
}

/** A part of a named schema, such as a member of a choice, needs no name of its own. */
function nameOf({ owner, fields }: Place): string | undefined {
  const place = [owner, ...fields].join('.')
  const name = OBJECT_NAMES[place]
  if (name === undefined && fields.length > 0) {
    throw new Error(`The object ${place} has no name. Add one to OBJECT_NAMES.`)
  }
  return name
}
