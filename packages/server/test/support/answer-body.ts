/** An attempt of a webhook delivery. */
interface AttemptBody {
  readonly number: number
  readonly trigger: string
  readonly outcome: string
  readonly startedAt: string
  readonly durationMs: number | null
  readonly error: { readonly class: string; readonly message: string } | null
  readonly remoteAddress: string | null
  readonly nextAttemptAt: string | null
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly cut: string | null
  } | null
}

/** Fields of the console's answers about people. */
interface PeopleBody {
  readonly member: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly role: string
  }
  readonly organization: { readonly id: string; readonly name: string }
  readonly userAgent: string
  readonly token: string
}

/** Fields of the x402 path's answers beyond those of evaluate. */
interface X402Body {
  readonly address: string
  readonly signerUrl: string | null
  readonly signerSecret: string | null
  readonly networks: readonly string[]
  readonly balances: readonly {
    readonly network: string
    readonly symbol: string
    readonly balance: number | null
  }[]
  readonly price: { readonly atomic: string; readonly network: string } | null
  readonly payee: { readonly address: string; readonly assurance: string } | null
  readonly payment: {
    readonly headerName: string
    readonly headerValue: string
    readonly x402Version: number
    readonly nonce: `0x${string}`
    readonly validBefore: string
  } | null
  readonly resource: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly bodyEncoding: string
    readonly truncated: boolean
  } | null
  readonly resourceError: { readonly code: string; readonly message: string } | null
  readonly settlement: {
    readonly state: string
    readonly transaction: string | null
    readonly source: string | null
    readonly verified: boolean
    readonly settledAmount: number | null
  } | null
  readonly hold: { readonly id: string; readonly state: string } | null
  readonly anomalies: readonly {
    readonly kind: string
    readonly detail: string
    readonly at: string
  }[]
  readonly external: Readonly<Record<string, string | null>> | null
  readonly heldAmount: number
  readonly settledAmount: number
  readonly decision: string | null
  readonly amount: number
  readonly location: string
}

interface SecretBody {
  readonly hint: string
  readonly previousUntil: string | null
}

/** Fields of the answers about cards and their issuers. */
interface CardBody {
  readonly connectionId: string
  readonly last4: string | null
  readonly label: string | null
  readonly providerStatus: string | null
  readonly statusReason: string | null
  readonly provider: string
  readonly livemode: boolean
  readonly failMode: string
  readonly failOpenMaxAmount: number | null
  readonly deadlineMs: number
  readonly partialApprovals: boolean
  readonly pauseOnOverCapture: boolean
  readonly secrets: {
    readonly authorization: SecretBody | null
    readonly events: SecretBody | null
  }
  readonly ingest: { readonly authorizationUrl: string; readonly eventsUrl: string } | null
  readonly cardAliases: readonly object[]
}

/** The ACP fields of an organization and of a vendor. */
interface AcpBody {
  readonly acp: {
    readonly orderUrl?: string
    readonly instruments?: readonly { readonly id: string; readonly credentialHint: string }[]
  } | null
}

/**
 * Every field that an answer may have, so that tests can read them without casts. A check against
 * the OpenAPI document decides which fields an answer really has, and their types.
 */
export interface AnswerBody extends X402Body, CardBody, AcpBody, PeopleBody {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly updatedBy: string | null

  readonly description: string | null
  readonly externalId: string | null
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly retention: { readonly detailsDays: number | null; readonly eventsDays: number | null }
  readonly lastSeenAt: string | null
  readonly mandate: AnswerBody | null
  readonly deleted: boolean

  readonly agentId: string
  readonly transactionId: string
  readonly evaluationDetails: { readonly code: string }
  readonly version: number
  readonly currency: string
  readonly timezone: string
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly parentMandateId: string | null
  readonly budgetTotal: number
  readonly budgetSpent: number
  readonly budgetHeld: number
  readonly remainingBudget: number
  readonly percentUsed: number
  readonly exhausted: boolean
  readonly budgetPeriod: string
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly rules: readonly { readonly id: string; readonly type: string }[]
  readonly activatedAt: string | null
  readonly revokedAt: string | null
  readonly archivedAt: string | null
  readonly archived: boolean
  readonly warnings: readonly {
    readonly code: string
    readonly message: string
    readonly ruleIds: readonly string[]
  }[]
  readonly changedAt: string
  readonly changedBy: string | null
  readonly changes: readonly {
    readonly field: string
    readonly before: unknown
    readonly after: unknown
  }[]

  readonly prefix: string
  readonly apiKey: string
  readonly scopes: readonly string[] | null
  readonly agentIds: readonly string[] | null
  readonly createdBy: string | null
  readonly revokedKeys: number
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revoked: boolean

  readonly plan: string
  readonly frozen: boolean
  readonly webhookUrl: string | null
  readonly webhookEvents: readonly string[]
  readonly webhookEndpoints: readonly AnswerBody[]
  readonly secret: string | undefined
  readonly secretHint: string
  readonly url: string
  readonly pausedReason: string | null
  readonly failingSince: string | null
  readonly webhookSecretHint: string
  readonly requireFourEyes: boolean
  readonly approvalPasswordAbove: number | null
  readonly also: readonly { readonly id: string; readonly code: string | null }[]
  readonly webhookSecretRotatedAt: string
  readonly webhookPreviousSecretValidUntil: string | null
  readonly webhookSecret: string
  readonly previousSecretValidUntil: string | null

  readonly host: string
  readonly category: string | null

  readonly eventId: string
  readonly endpointId: string
  readonly event: string
  readonly timestamp: string
  readonly test: boolean
  readonly attempts: number
  readonly lastAttemptAt: string | null
  readonly maxAttempts: number
  readonly lastStatusCode: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: string | null
  readonly attemptLog: readonly AttemptBody[]
  readonly evaluations: { readonly used: number; readonly limit: number | null }
  readonly agents: { readonly used: number; readonly limit: number | null }
  readonly resetsAt: string

  readonly data: readonly AnswerBody[]
  readonly total: number
  readonly totalIsExact: boolean
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
  readonly nextCursor: string | null

  readonly type: string
  readonly title: string
  readonly detail: string
  readonly instance: string
  readonly code: string
  readonly requestId: string
  readonly errors: readonly {
    readonly path: string
    readonly code: string
    readonly message: string
  }[]
  readonly mandateStatus: string
  readonly parentStatus: string
  readonly allowed: readonly string[]
  readonly changeable: readonly string[]
}
