import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'

const PRODUCTION = {
  PURSER_ENV: 'production',
  PURSER_MASTER_KEY: Buffer.alloc(32, 9).toString('hex'),
}

describe('in production', () => {
  test('PURSER_ALLOW_LOOPBACK cannot be true', () => {
    expect(readConfig(PRODUCTION).outbound.allowLoopback).toBe(false)
    expect(() => readConfig({ ...PRODUCTION, PURSER_ALLOW_LOOPBACK: 'true' })).toThrow(
      'PURSER_ALLOW_LOOPBACK cannot be true',
    )
  })

  test.each([
    '127.0.0.1/32',
    '127.0.0.0/8',
    '0.0.0.0/0',
    '96.0.0.0/3',
    '::1/128',
    '::/0',
    '::ffff:127.0.0.0/104',
    '169.254.169.254/32',
    '169.254.0.0/16',
    '100.100.100.200/32',
    'fd00:ec2::254/128',
    'fd00:ec2::/32',
  ])('PURSER_ALLOW_NETWORKS cannot name %s, which it can in development', (network) => {
    const wanted = `10.0.0.0/8, ${network}`
    const read = () => readConfig({ ...PRODUCTION, PURSER_ALLOW_NETWORKS: wanted })
    expect(read).toThrow(`PURSER_ALLOW_NETWORKS names ${network}`)
    expect(read).not.toThrow('names 10.0.0.0/8')
    const { outbound } = readConfig({ PURSER_ALLOW_NETWORKS: network })
    expect(outbound.allowedNetworks).toEqual([network])
  })
})

describe('PURSER_PUBLIC_URL', () => {
  test('is normalized to an origin', () => {
    const urlOf = (text: string) => readConfig({ PURSER_PUBLIC_URL: text }).publicUrl
    expect(urlOf('https://Gateway.Example:443/')).toBe('https://gateway.example')
    expect(urlOf('http://localhost:3000')).toBe('http://localhost:3000')
    expect(readConfig({}).publicUrl).toBeUndefined()
  })

  test.each(['gateway.example', 'https://gateway.example/a', 'https://u:p@gateway.example', '*'])(
    'cannot be %s, and the message does not repeat the value',
    (text) => {
      const read = () => readConfig({ PURSER_PUBLIC_URL: text })
      expect(read).toThrow('PURSER_PUBLIC_URL must be an address without a path')
      expect(read).not.toThrow('u:p')
    },
  )

  test('must be https in production', () => {
    const read = (text: string) => readConfig({ ...PRODUCTION, PURSER_PUBLIC_URL: text })
    expect(() => read('http://gateway.example')).toThrow('PURSER_PUBLIC_URL must be an https')
    expect(read('https://gateway.example').publicUrl).toBe('https://gateway.example')
  })
})
