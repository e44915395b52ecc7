import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { spawnOnLeash } from './leash.ts'
import { waitUntil } from './wait-until.ts'

const FOLDER = fileURLToPath(new URL('../../../../examples/agent-python', import.meta.url))
/** The system's Python, which has nothing but the standard library that the example may use. */
const PYTHON = '/usr/bin/python3'
export const hasPython = existsSync(PYTHON)

/** A Python program that runs, and its output so far. */
export interface Run {
  readonly lines: readonly string[]
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
  kill(): void
}

export function startPython(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Run {
  const child = spawnOnLeash(PYTHON, parameters, {
    env: { PATH: process.env['PATH'], PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1', ...env },
  })
  const lines: string[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, errors }))
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { lines, ended, kill: () => void child.kill() }
}

/** Starts the example as its README does. */
export const startAgent = (
  env: Readonly<Record<string, string>>,
  ...parameters: readonly string[]
) => startPython([`${FOLDER}/agent.py`, ...parameters], env)

/** Runs lines of Python that use the functions of the example, and returns the printed lines. */
export async function useAgent(env: Readonly<Record<string, string>>, program: string) {
  const run = startPython(['-c', `from agent import *\n${program}`], env)
  expect(await run.ended).toEqual({ code: 0, errors: '' })
  return run.lines
}

/** Waits until the agent prints the command with which a person approves. */
export async function approvalIn({ lines, ended }: Run): Promise<string> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const find = () => lines.join('\n').match(/approvals approve (apr_\w+)/)?.[1]
  await waitUntil(() => isOver || find() !== undefined)
  const id = find()
  if (id === undefined) throw new Error(`The agent ended too early: ${(await ended).errors}`)
  return id
}
