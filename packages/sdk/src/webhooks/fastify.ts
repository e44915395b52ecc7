import { maxBytesOf, receive, type WebhookHandlerOptions } from './receive.ts'

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (
      request: unknown,
      body: Uint8Array,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown
  post(
    url: string,
    handler: (request: FastifyWebhookRequest, reply: FastifyWebhookReply) => Promise<unknown>,
  ): unknown
}

export interface FastifyWebhookRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
  readonly log: { error(error: unknown): void }
}

export interface FastifyWebhookReply {
  code(status: number): { send(): unknown }
}

export interface FastifyWebhookOptions extends WebhookHandlerOptions {
  /** The path of the route; `/` by default, which is the `prefix` of the registration. */
  readonly url?: string
}

/**
 * A Fastify plugin with one POST route. It takes the raw body in its own scope, so the other routes
 * still get parsed bodies. Without `onError`, errors go to the logger of the request.
 *
 * @example
 * await app.register(fastifyWebhook, { prefix: '/hook', secret, onEvent: (event) => store(event.id, event) })
 */
export async function fastifyWebhook(
  scope: FastifyScope,
  options: FastifyWebhookOptions,
): Promise<void> {
  scope.removeAllContentTypeParsers()
  const limits = { parseAs: 'buffer', bodyLimit: maxBytesOf(options) } as const
  scope.addContentTypeParser('*', limits, (_request, body, done) => done(null, body))
  scope.post(options.url ?? '/', async (request, reply) => {
    const { onError = (error) => request.log.error(error) } = options
    // Fastify leaves the body out if the request has none.
    const readBody = async () => (request.body ?? '') as Uint8Array
    const status = await receive(readBody, request.headers, { ...options, onError })
    return reply.code(status).send()
  })
}
