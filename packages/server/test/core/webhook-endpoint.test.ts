import { describe, expect, test } from 'vitest'
import {
  ACTIVE,
  type EndpointState,
  statusOf,
  withNewUrl,
  withStatus,
} from '../../src/core/webhook-endpoint.ts'

const FAILING: EndpointState = { isPaused: false, pausedAt: null, failingSince: 10 }
const PAUSED: EndpointState = { isPaused: true, pausedAt: 20, failingSince: 10 }
const GIVEN_UP: EndpointState = { isPaused: false, pausedAt: 20, failingSince: 10 }

describe('a webhook endpoint', () => {
  test('is paused by a person at the instant of the request, and keeps its failures', () => {
    expect(withStatus(FAILING, 'paused', 30)).toEqual({
      isPaused: true,
      pausedAt: 30,
      failingSince: 10,
    })
  })

  test('begins without failures when a person activates it', () => {
    const fresh = { isPaused: false, pausedAt: null, failingSince: null }
    for (const state of [PAUSED, GIVEN_UP]) {
      expect(withStatus(state, 'active', 30)).toEqual(fresh)
    }
  })

  test('does not change if it has the status already', () => {
    expect(withStatus(FAILING, 'active', 30)).toBe(FAILING)
    for (const state of [PAUSED, GIVEN_UP]) expect(withStatus(state, 'paused', 30)).toBe(state)
  })

  test('with a new URL begins without failures, and stays paused only if a person paused it', () => {
    expect([FAILING, GIVEN_UP].map(withNewUrl)).toEqual([ACTIVE, ACTIVE])
    const changed = withNewUrl(PAUSED)
    expect(changed).toEqual({ isPaused: true, pausedAt: 20, failingSince: null })
    expect(statusOf(changed)).toBe('paused')
  })
})
