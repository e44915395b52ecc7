import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const GOOD = 'gateway: release expired holds\n\nTheir budgets stayed taken for a minute.'

/** The settings of the developer, or of the hook, that runs the tests must not matter. */
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_MERGE_AUTOEDIT: 'no',
}

let outside: string
let folder: string

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'purser-commits-'))
  folder = join(outside, 'project')
  await mkdir(folder)
})
afterEach(() => rm(outside, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly output: string
}

function call(program: string, parameters: string[], cwd = folder, env = ENV): Promise<Ended> {
  return run(program, parameters, { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}

async function git(...parameters: string[]): Promise<string> {
  const { code, output } = await call('git', parameters)
  expect(code, output).toBe(0)
  return output.trim()
}

function script(name: string, cwd = folder, env = ENV): Promise<Ended> {
  return call(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`], cwd, env)
}

const commit = (message: string): Promise<Ended> =>
  call('git', ['commit', '--allow-empty', '-m', message])

/** Adds a project with the scripts and hooks of this one, without any commit. */
async function addProject(to = folder): Promise<void> {
  for (const part of ['scripts', '.githooks']) {
    await cp(join(ROOT, part), join(to, part), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'))
  await writeFile(join(to, 'package.json'), '{"type":"module"}')
  await writeFile(join(to, '.gitignore'), 'node_modules\n')
}

/** Makes it a repository with one commit from before the check and the one that adds it. */
async function startRepository(): Promise<void> {
  await git('init', '--quiet', '--initial-branch=main')
  await commit('Everything so far.')
  await addProject()
  await git('add', '.')
  await commit('check')
}

describe('check-commits', () => {
  test('accepts a subject with an area and a body that follows an empty line', async () => {
    await startRepository()
    await commit(GOOD)
    expect(await script('check-commits')).toEqual({ code: 0, output: '' })
  })

  test('names every commit that breaks the form, with what to do', async () => {
    await startRepository()
    await commit(GOOD)
    await commit('Holds are released.')
    await commit(`gateway: ${'x'.repeat(52)}\n\nWhy.`)
    const { code, output } = await script('check-commits')
    expect(code).toBe(1)
    expect(output).toMatch(/^[0-9a-f]{7,}: Holds are released\.$/m)
    expect(output).toMatch(/names no area.*full stop.*The body is empty/s)
    expect(output).toContain('The subject has 61 characters')
    expect(output).toContain('git rebase -i')
    expect(output).not.toContain('release expired holds\n')
  })

  test('leaves alone what was written before the check, also when it is merged later', async () => {
    await startRepository()
    await git('checkout', '--quiet', '-b', 'old', 'HEAD~1')
    await commit('Of a branch that began earlier.')
    await git('checkout', '--quiet', 'main')
    await commit(GOOD)
    await git('merge', '--quiet', 'old')
    expect(await script('check-commits')).toEqual({ code: 0, output: '' })
  })

  test('looks at what a shallow clone holds', async () => {
    await startRepository()
    await commit('Too old to be cloned.')
    await commit(GOOD)
    await commit('No area.')
    const clone = join(outside, 'clone')
    await git('clone', '--quiet', '--depth=2', `file://${folder}`, clone)
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    const { code, output } = await script('check-commits', clone)
    expect(code).toBe(1)
    expect(output).toContain('No area.')
    expect(output).not.toContain('Too old')
  })

  test('says that it looked at nothing in an archive, even inside the checkout of others', async () => {
    await git('init', '--quiet')
    const archive = join(folder, 'archive')
    await mkdir(archive)
    await addProject(archive)
    await git('add', '.')
    await commit('Of somebody else.')
    await commit('Also of somebody else.')
    const { code, output } = await script('check-commits', archive)
    expect(code).toBe(0)
    expect(output).toContain('No commit message was checked')
  })

  test('says that it looked at nothing where there is no git', async () => {
    await addProject()
    const withoutGit = { ...ENV, PATH: '/nowhere' }
    const { code, output } = await script('check-commits', folder, withoutGit)
    expect(code).toBe(0)
    expect(output).toContain('No commit message was checked')
  })
})

describe('the hook that npm install sets up', () => {
  beforeEach(async () => {
    await startRepository()
    expect((await script('set-up-hooks')).code).toBe(0)
  })

  test('accepts a good message', async () => {
    expect((await commit(GOOD)).code).toBe(0)
  })

  test('refuses a bad one and says how to get it back', async () => {
    const { code, output } = await commit('gateway: no reason given')
    expect(code).toBe(1)
    expect(output).toContain('The body is empty')
    expect(output).toContain('git commit -e -F .git/COMMIT_EDITMSG')
    expect(await git('log', '-1', '--format=%s')).toBe('check')
  })

  test('takes the text that git adds for the author for no body', async () => {
    await writeFile(join(folder, 'new.txt'), 'new')
    await git('add', '.')
    const author = ['-c', "core.editor=printf '%s\\n' 'core: x' | cat - \"$1\" > m; mv m"]
    const { code, output } = await call('git', [...author, 'commit', '--verbose'])
    expect(code).toBe(1)
    expect(output).toContain('The body is empty')
  })

  test('lets merges and commits that wait to be squashed pass', async () => {
    await git('checkout', '--quiet', '-b', 'side')
    await commit(GOOD)
    await git('checkout', '--quiet', 'main')
    await commit(GOOD.replace('expired', 'late'))
    await git('merge', '--quiet', 'side')
    await git('commit', '--quiet', '--allow-empty', '--fixup=HEAD~1')
    expect((await script('check-commits')).output).toContain('git rebase -i --autosquash')
  })
})

describe('set-up-hooks', () => {
  test('keeps a folder of hooks that somebody chose', async () => {
    await startRepository()
    await git('config', 'core.hooksPath', 'mine')
    const { code, output } = await script('set-up-hooks')
    expect(code).toBe(0)
    expect(output).toContain('hooks of your own')
    expect(await git('config', 'core.hooksPath')).toBe('mine')
  })

  test('does not hide hooks that are there already', async () => {
    await startRepository()
    await writeFile(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\n')
    expect((await script('set-up-hooks')).output).toContain('hooks of your own')
    expect(await git('config', '--list')).not.toContain('hookspath')
  })

  test('changes nothing in the checkout of another project', async () => {
    await git('init', '--quiet')
    const archive = join(folder, 'archive')
    await mkdir(archive)
    await addProject(archive)
    expect(await script('set-up-hooks', archive)).toEqual({ code: 0, output: '' })
    expect(await git('config', '--list')).not.toContain('hookspath')
  })
})
