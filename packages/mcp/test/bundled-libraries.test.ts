import { Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import * as bundled from '../src/mcp-libraries.ts'

test('the tests run the bundled code of the protocol, and not its package', () => {
  expect(bundled.Server).toBeTypeOf('function')
  expect(bundled.Server).not.toBe(Server)
})
