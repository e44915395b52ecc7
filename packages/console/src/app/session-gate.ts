import { PurserError } from '@purser/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { queries } from '../data/queries.ts'
import { Redirect } from '../router/screen.ts'

/** Lets members in. Others go to a door, which leads back to the page they asked for. */
export async function enterConsole(client: QueryClient, href: string): Promise<void> {
  try {
    await client.ensureQueryData(queries.me())
  } catch (error) {
    if (!(PurserError.is(error) && error.code === 'unauthenticated')) throw error
    const { needsSetup } = await client.ensureQueryData(queries.state())
    if (needsSetup) throw new Redirect({ to: '/setup' })
    throw new Redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } })
  }
}

/** While there is no member, the only door is the set-up. */
export async function enterDoor(client: QueryClient): Promise<void> {
  const { needsSetup } = await client.ensureQueryData(queries.state())
  if (needsSetup) throw new Redirect({ to: '/setup' })
}
