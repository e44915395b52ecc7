import { PurserError } from '@purser/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { queries } from '../data/queries.ts'

interface Entering {
  readonly context: { readonly client: QueryClient }
  readonly location: { readonly href: string }
}

/** Lets members in. Others go to a door, which leads back to the page they asked for. */
export async function enterConsole({ context: { client }, location }: Entering): Promise<void> {
  try {
    await client.ensureQueryData(queries.me())
  } catch (error) {
    if (!(PurserError.is(error) && error.code === 'unauthenticated')) throw error
    const { needsSetup } = await client.ensureQueryData(queries.state())
    if (needsSetup) throw redirect({ to: '/setup', replace: true })
    const search = location.href === '/' ? {} : { next: location.href }
    throw redirect({ to: '/sign-in', search, replace: true })
  }
}

/** While there is no member, the only door is the set-up. */
export async function enterDoor({ context: { client } }: Entering): Promise<void> {
  const { needsSetup } = await client.ensureQueryData(queries.state())
  if (needsSetup) throw redirect({ to: '/setup', replace: true })
}
