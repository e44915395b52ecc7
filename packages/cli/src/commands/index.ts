import type { Command } from 'commander'
import { analytics } from './analytics.ts'
import { approvals } from './approvals.ts'
import { changes } from './changes.ts'
import { demo } from './demo.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { listen } from './listen.ts'
import { members } from './members.ts'
import { orgs } from './orgs.ts'
import { reconcile } from './reconcile.ts'
import { rotateLogKey } from './rotate-log-key.ts'
import { rotateMasterKey } from './rotate-master-key.ts'
import { rotateSigningKey } from './rotate-signing-key.ts'
import { serve } from './serve.ts'
import { settings } from './settings.ts'
import { trigger } from './trigger.ts'
import { verify } from './verify.ts'

/** All commands, in the order of the help. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  init,
  orgs,
  keys,
  changes,
  analytics,
  members,
  rotateMasterKey,
  rotateSigningKey,
  rotateLogKey,
  serve,
  demo,
  settings,
  approvals,
  listen,
  trigger,
  verify,
  reconcile,
]
