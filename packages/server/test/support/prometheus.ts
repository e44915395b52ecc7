import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds a program of Prometheus: in PURSER_PROMETHEUS_BIN, or on the machine. Undefined if there is
 * none, unless PURSER_REQUIRE_PROMETHEUS demands it.
 */
export function findPrometheusProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const { PATH = '', PURSER_PROMETHEUS_BIN = '', PURSER_REQUIRE_PROMETHEUS } = process.env
  const folders = [PURSER_PROMETHEUS_BIN, ...PATH.split(delimiter)].filter((one) => one !== '')
  const found = folders.map((folder) => join(folder, name)).find(isExecutable)
  if (found !== undefined) return found
  if (PURSER_REQUIRE_PROMETHEUS === '1') throw new Error(`${name} is not installed.`)
  console.log(`${name} is not installed, so its tests are skipped.`)
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Runs promtool, and returns its exit code with its output. */
export function runPromtool(program: string, parameters: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program, parameters, { input, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
