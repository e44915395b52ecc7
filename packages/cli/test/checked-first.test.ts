import { describe, expect, test } from 'vitest'
import { callPurser } from './support/in-process.ts'

/** A port that the system does not assign to any process. */
const NO_DATABASE = { DATABASE_URL: 'postgres://purser@127.0.0.1:2/purser' }
const NO_ID = '"Acme" is not an id such as org_…: "purser orgs list" shows the ids.'

describe('a mistake in the command line is named before the database is opened', () => {
  test.each([
    [['keys', 'create', '--org', 'Acme'], NO_ID],
    [['keys', 'create', '--scopes', 'transaction:read'], 'did you mean transactions:read?'],
    [['keys', 'create', '--name', ' '], '1 to 120 characters'],
    [['orgs', 'plan', 'Acme', 'free'], NO_ID],
    [['members', 'list', '--org', 'Acme'], NO_ID],
    [['members', 'invite', 'bob'], 'is not an e-mail address'],
    [['members', 'invite', 'eve@example.com', '--role', 'boss'], 'The roles are owner, admin'],
    [['members', 'invite', 'eve@example.com', '--owner', '--role', 'viewer'], 'not both'],
    [['members', 'reset-link', 'bob'], 'is not an e-mail address'],
    [['members', 'remove', 'bob'], 'is not an e-mail address'],
    [['changes', 'list', '--org', 'Acme'], NO_ID],
    [['analytics', 'rebuild', '--org', 'Acme'], NO_ID],
  ])('%j', async (args, sentence) => {
    const { told, exited } = await callPurser(args, NO_DATABASE)
    expect([await exited(), told.join('\n')]).toEqual([1, expect.stringContaining(sentence)])
  })

  test.each([
    [['reconcile', '--org', 'Acme'], NO_ID],
    [['orgs', 'plan', 'org_1', 'gold'], 'free, pro, scale, self_hosted'],
    [['changes', 'list', '--limit', '1001'], 'from 1 to 1000'],
    [['demo', '--port', '65536'], 'from 0 to 65535'],
    [['init'], '--org <name>'],
    [['init', '--org', 'Acme', '--jsno'], '--json'],
    [['init', '--orgg', 'Acme'], "error: unknown option '--orgg'\n(Did you mean --org?)"],
    [['evaluate', '--amuont', '5'], "error: unknown option '--amuont'\n(Did you mean --amount?)"],
  ])('%j, with exit code 2', async (args, sentence) => {
    const { told, exited } = await callPurser(args, NO_DATABASE)
    expect([await exited(), told.join('\n')]).toEqual([2, expect.stringContaining(sentence)])
  })
})
