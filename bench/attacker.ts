import { ATTACKS, type AttackTask } from './attacks.ts'
import { answerLines } from './program.ts'

/**
 * The attacker's process. It is separate, so that the cost of the attack does not slow down the
 * measured client. It accepts the lines `prepare`, `begin` and `end`.
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
