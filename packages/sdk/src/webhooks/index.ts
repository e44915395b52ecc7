export { type WebhookErrorCode, WebhookVerificationError } from './error.ts'
export type { WebhookEvent, WebhookEventName } from './events.ts'
export { type ExpressRequest, type ExpressResponse, expressWebhook } from './express.ts'
export {
  type FastifyScope,
  type FastifyWebhookOptions,
  type FastifyWebhookReply,
  type FastifyWebhookRequest,
  fastifyWebhook,
} from './fastify.ts'
export { webhookHandler } from './fetch-handler.ts'
export type { RawBody } from './raw-body.ts'
export type { WebhookHeaders } from './read-header.ts'
export type { WebhookHandlerOptions } from './receive.ts'
export type { WebhookSecret } from './secret-keys.ts'
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts'
