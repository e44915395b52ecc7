import { describe, expect, test } from 'vitest'
import { readEffective } from '../../src/process/config/effective.ts'
import { readConfig } from '../../src/process/config.ts'

const FROM = { PURSER_MAIL_FROM: 'Purser <purser@example.com>' }
const smtpOf = (url: string) => readConfig({ PURSER_SMTP_URL: url, ...FROM }).smtp

describe('the SMTP server', () => {
  test('is off unless it is set', () => expect(readConfig({}).smtp).toBeUndefined())

  test('has defaults for its port, and needs TLS', () => {
    expect(smtpOf('smtp://user:p%40ss@mail.example')).toEqual({
      ...{ host: 'mail.example', port: 587, isSecure: false, startTls: 'required' },
      ...{ user: 'user', password: 'p@ss' },
      from: { name: 'Purser', address: 'purser@example.com' },
    })
    expect(smtpOf('smtps://mail.example')).toMatchObject({ port: 465, isSecure: true })
  })

  test('needs no TLS on this machine, or if the URL says so', () => {
    expect(smtpOf('smtp://127.0.0.1:2525')).toMatchObject({ port: 2525, startTls: 'off' })
    expect(smtpOf('smtp://[::1]:2525')).toMatchObject({ host: '::1', startTls: 'off' })
    expect(smtpOf('smtp://mail.example?tls=optional')).toMatchObject({ startTls: 'optional' })
  })

  test.each([
    'mail.example',
    'https://mail.example',
    'smtp://',
    'smtp://user:pa/ss@mail.example',
    'smtp://user:secret%zz@mail.example',
    'smtp://mail.example?tls=no',
    'smtp://mail.example?secure=true',
    'smtp://mail.example/path',
  ])('that is wrong is a mistake that does not repeat it: %s', (url) => {
    expect(() => smtpOf(url)).toThrow(/PURSER_SMTP_URL/)
    expect(() => smtpOf(url)).not.toThrow(/secret|pa\/ss/)
  })

  test.each([
    ['purser@example.com', { name: '', address: 'purser@example.com' }],
    ['"Purser, Inc" <p@example.com>', undefined],
    ['"Purser Inc" <p@example.com>', { name: 'Purser Inc', address: 'p@example.com' }],
    ['Purser <p@example.com', undefined],
    ['a@example.com, b@example.com', undefined],
    ['p@example.com\r\nBcc: eve@example.com', undefined],
    ['nobody', undefined],
  ])('has a sender: %j', (text, from) => {
    const read = () => readConfig({ PURSER_SMTP_URL: 'smtp://a.example', PURSER_MAIL_FROM: text })
    if (from) expect(read().smtp?.from).toEqual(from)
    else expect(read).toThrow(/PURSER_MAIL_FROM is not valid/)
  })

  test('and its sender need each other', () => {
    expect(() => readConfig({ PURSER_SMTP_URL: 'smtp://a.example' })).toThrow(
      /MAIL_FROM is required/,
    )
    expect(() => readConfig(FROM)).toThrow(/without PURSER_SMTP_URL/)
  })

  test('is shown without user, password and parameters', () => {
    const url = 'smtp://user:secret@mail.example:587?tls=optional'
    const { groups } = readEffective({ PURSER_SMTP_URL: url, ...FROM })
    const shown = groups.flatMap(({ settings }) => settings)
    const { value } = shown.find(({ name }) => name === 'PURSER_SMTP_URL') ?? {}
    expect(value).toBe('smtp://***@mail.example:587?***')
  })
})
