import { EXAMPLE_AGENT_ID, EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'

const ISSUER = 'https://gateway.example.com'
const EXPIRES_AT = '2026-11-15T09:35:00.000Z'
const ISSUED_S = Date.parse(EXAMPLE_TIME) / 1_000
const BUDGET = { currency: 'USD', period: 'monthly', resetsAt: '2026-12-01T00:00:00.000Z' }

export const TOKEN_EXAMPLE = {
  token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6Im1hbmRhdGUrand0In0.eyJpc3MiOiJodHRwczovL2dhdGV…',
  tokenType: 'mandate+jwt',
  expiresAt: EXPIRES_AT,
  jti: exampleId('mtk'),
  kid: 'Dg3u6f0y4PKbz6Sr3QkFQKfhBe6xZ8cG25_JD5aEEWM',
  issuer: ISSUER,
  audience: 'https://shop.example',
  mandateId: exampleId('mnd'),
  mandateVersion: 1,
  jwksUri: `${ISSUER}/.well-known/jwks.json`,
}

export const INTROSPECTION_EXAMPLE = {
  active: true,
  claims: {
    iss: ISSUER,
    sub: EXAMPLE_AGENT_ID,
    aud: ISSUER,
    iat: ISSUED_S,
    nbf: ISSUED_S,
    exp: Date.parse(EXPIRES_AT) / 1_000,
    jti: exampleId('mtk'),
    ver: 1,
    use: 'attestation',
    org: exampleId('org'),
    mandate: {
      id: exampleId('mnd'),
      version: 1,
      hash: 'hmac-sha256:HQcDrj0dJzbTG1iD_TliAPWQMbCKmNMWqpLxRJ3eu3Q',
      validUntil: null,
    },
    constraints: [],
    budget: { ...BUDGET, limit: '100', remaining: '87.5', asOf: EXAMPLE_TIME },
  },
  budget: { ...BUDGET, limit: 100, remaining: 87.5, asOf: EXAMPLE_TIME },
  proposed: {
    decision: 'approved',
    code: 'approved',
    message: 'The spend is approved.',
    next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
  },
}
