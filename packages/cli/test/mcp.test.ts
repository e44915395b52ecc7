import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { callPurser } from './support/in-process.ts'

test('without a key, `purser mcp` says where to set it, and writes nothing to stdout', async () => {
  const ended = await callPurser(['mcp'])
  expect(await ended.exited()).toBe(2)
  expect(ended.lines).toEqual([])
  expect(ended.told.join()).toContain('set PURSER_API_KEY, or run "purser login"')
})

test('an address that is no URL is named', async () => {
  const env = { PURSER_API_KEY: 'psr_test_x', PURSER_BASE_URL: 'ftp://x' }
  const ended = await callPurser(['mcp'], env)
  expect(await ended.exited()).toBe(2)
  expect(ended.told.join()).toContain('PURSER_BASE_URL must be an http(s) URL')
})

test('a gateway that closes every connection, as a tunnel without a target does, is named', async () => {
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void closing.close())
  await once(closing, 'listening')
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`
  const ended = await callPurser(['mcp'], { PURSER_API_KEY: 'psr_test_x', PURSER_BASE_URL: url })
  expect(await ended.exited()).toBe(1)
  expect(ended.lines).toEqual([])
  expect(ended.told.join()).toContain(`No answer from ${url}: `)
})
