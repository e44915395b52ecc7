import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../http/app.ts'

export interface Owner {
  readonly email: string
  readonly password: string
}

/** A link that signs the owner in, once. */
export interface SignInLink {
  readonly path: string
  /** Adds the route that the link leads to. Only the demo has it. */
  addRoute(app: App): void
  /** Names the account, once it exists. */
  signsIn(owner: Owner): void
}

/**
 * The route signs in with the owner's password, which only this process and its terminal know. So
 * it is an ordinary sign-in, with its session and its record, and no other code has to trust the
 * link. A used link leads to the sign-in page.
 */
export function createSignInLink(): SignInLink {
  const token = randomBytes(32).toString('base64url')
  let owner: Owner | undefined
  return {
    path: `/demo/${token}`,
    signsIn(account) {
      owner = account
    },
    addRoute(app) {
      app.get('/demo/:token', { schema: { hide: true } }, async (request, reply) => {
        const { token: given } = request.params as { readonly token: string }
        reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
        if (!owner || !isSame(given, token)) return reply.redirect('/sign-in', 303)
        const account = owner
        owner = undefined
        const { host = '', 'user-agent': agent = '' } = request.headers
        const signedIn = await app.inject({
          method: 'POST',
          url: '/console/api/sign-in',
          headers: { host, 'user-agent': agent },
          payload: account,
        })
        const cookie = signedIn.headers['set-cookie']
        if (signedIn.statusCode !== 200 || cookie === undefined) {
          return reply.redirect('/sign-in', 303)
        }
        return reply.header('set-cookie', cookie).redirect('/', 303)
      })
    },
  }
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
