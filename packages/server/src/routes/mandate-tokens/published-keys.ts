import type { App } from '../../http/app.ts'
import type { KeyRing } from '../../tokens/key-ring.ts'
import { PUBLISHED_SECONDS } from '../../tokens/signing-keys.ts'

/** `/.well-known/jwks.json`: the public keys that verify mandate tokens. It needs no authentication. */
export function publishedKeyRoutes(app: App, { keyRing }: { readonly keyRing: KeyRing }): void {
  const hidden = { schema: { hide: true }, exposeHeadRoute: true }
  app.get('/.well-known/jwks.json', hidden, async (request, reply) => {
    const { text, tag } = await keyRing.published()
    reply.header('etag', tag).header('cache-control', `public, max-age=${PUBLISHED_SECONDS}`)
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.header('content-type', 'application/jwk-set+json').send(text)
  })
}
