import { ATTACKS, type AttackTask } from './attacks.ts'
import { answerLines } from './program.ts'

/**
 * The process of an attacker, so that what the attack costs is not taken from the client that is
 * measured. It is asked to `prepare`, to `begin` and to `end`.
 */
function createAttacker(task: AttackTask) {
  const attack = ATTACKS[task.attack]
  if (!attack) throw new Error(`There is no attack named ${task.attack}.`)
  let end: (() => Promise<void>) | undefined
  return async (line: string): Promise<object> => {
    if (line === 'prepare') await attack.prepare?.(task)
    if (line === 'begin') end = await attack.begin(task)
    if (line === 'end') await end?.()
    return { done: line }
  }
}

await answerLines(createAttacker)
