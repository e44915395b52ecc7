import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EMPTY_ROOT,
  type NoteSigner,
  openCheckpoint,
  openNote,
  parseVerifierKey,
  signCheckpoint,
  toBase64,
  toVerifierKeyText,
} from '../src/index.ts'
import { sha256, toSigner, toVerifierKey, verifySignature } from '../src/node/crypto.ts'
import { signNote } from '../src/signed-note.ts'

const ORIGIN = 'gateway.example/audit/org_01a1e258934c7487916523f9440fcb0c'

/** The same key for the same seed, so that what is written down here stays true. */
function aPrivateKey(seed: number): KeyObject {
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, seed),
  ])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

function aSigner(name = ORIGIN, seed = 1): NoteSigner {
  const signer = toSigner(name, aPrivateKey(seed))
  if (!signer) throw new Error('This is an Ed25519 key.')
  return signer
}

function aCheckpoint(signers = [aSigner()], origin = ORIGIN): string {
  const signed = signCheckpoint({ origin, size: 20_852_163, root: EMPTY_ROOT }, signers)
  if (signed === undefined) throw new Error('This is a checkpoint.')
  return signed
}

describe('a key', () => {
  test('of the Go checksum database is read, and written as it was', () => {
    // What every Go installation has: its id was computed by somebody else.
    const text = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    const key = parseVerifierKey(text, sha256)
    expect(key?.name).toBe('sum.golang.org')
    expect(key && toVerifierKeyText(key)).toBe(text)
  })

  test.each([
    ['another id', (text: string) => text.replace(/\+[0-9a-f]{8}/, '+00000000')],
    ['another name', (text: string) => `x${text}`],
    ['a name with a space', (text: string) => text.replace('/', ' ')],
    ['a line break at the end', (text: string) => `${text}\n`],
    ['a key that is too short', (text: string) => text.slice(0, -4)],
    ['no name', (text: string) => text.slice(text.indexOf('+'))],
    ['nothing', () => ''],
  ])('is refused with %s', (_, change) => {
    const text = toVerifierKeyText(aSigner().key)
    expect(parseVerifierKey(text, sha256)).toBeDefined()
    expect(parseVerifierKey(change(text), sha256)).toBeUndefined()
  })

  test('is refused with any single letter changed', () => {
    const text = toVerifierKeyText(aSigner().key)
    for (const changed of alterations(text))
      expect(parseVerifierKey(changed, sha256)).toBeUndefined()
  })

  test('is none of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(toVerifierKey(ORIGIN, privateKey)).toBeUndefined()
    expect(toVerifierKey('two words', aPrivateKey(1))).toBeUndefined()
    expect(toSigner(ORIGIN, createPublicKey(aPrivateKey(1)))).toBeUndefined()
  })

  test('is refused or read, whatever its text, and never throws', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, fc.string(), (key, name) => {
        const known = Buffer.concat([Buffer.of(1), key])
        const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), known])).toString('hex', 0, 4)
        const read = parseVerifierKey(`${name}+${id}+${known.toString('base64')}`, sha256)
        const signed = signNote('text\n', [aSigner()]) ?? ''
        expect(openNote(signed, read ? [read] : [], verifySignature)).toBe('unknown_key')
      }),
    )
  })
})

describe('a signed note', () => {
  test('of somebody else is opened', () => {
    // The example of Go's package for notes.
    const key = parseVerifierKey(
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
      sha256,
    )
    const note = [
      'If you think cryptography is the answer to your problem,',
      "then you don't know what your problem is.",
      '',
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
      '',
    ].join('\n')
    expect(openNote(note, key ? [key] : [], verifySignature)).toMatchObject({
      text: `${note.split('\n\n')[0]}\n`,
    })
  })

  test('may hold empty lines', () => {
    const text = 'one\n\ntwo\n'
    const { key } = aSigner()
    expect(openNote(signNote(text, [aSigner()]) ?? '', [key], verifySignature)).toEqual({
      text,
      keys: [key],
    })
  })

  test('with a control character, or without a line break at its end, is not signed', () => {
    for (const text of ['', 'text', 'a\tb\n', 'a\rb\n', '\ud800\n']) {
      expect(signNote(text, [aSigner()])).toBeUndefined()
    }
  })

  test('of two keys is verified by whoever knows one of them, and by nobody else', () => {
    const [old, young, foreign] = [aSigner(), aSigner(ORIGIN, 2), aSigner(ORIGIN, 3)]
    const note = signNote('text\n', [old, young]) ?? ''
    expect(openNote(note, [old.key], verifySignature)).toMatchObject({ keys: [old.key] })
    expect(openNote(note, [young.key], verifySignature)).toMatchObject({ keys: [young.key] })
    expect(openNote(note, [young.key, old.key], verifySignature)).toMatchObject({
      keys: [old.key, young.key],
    })
    expect(openNote(note, [foreign.key], verifySignature)).toBe('unknown_key')
  })

  test('is refused when one signature of a known key does not hold, although another does', () => {
    const [old, young] = [aSigner(), aSigner(ORIGIN, 2)]
    const [lines, others] = ['text\n', 'another text\n'].map((text) =>
      (signNote(text, [old, young]) ?? '').split('\n'),
    )
    const mixed = [...(lines?.slice(0, 3) ?? []), ...(others?.slice(3) ?? [])].join('\n')
    expect(openNote(mixed, [old.key, young.key], verifySignature)).toBe('bad_signature')
    expect(openNote(mixed, [old.key], verifySignature)).toMatchObject({ keys: [old.key] })
  })

  test.each([
    ['no signature', (note: string) => note.slice(0, note.indexOf('\n\n') + 2)],
    ['no empty line', (note: string) => note.replace('\n\n', '\n')],
    ['no line break at its end', (note: string) => note.slice(0, -1)],
    ['a hyphen for the dash', (note: string) => note.replace('—', '-')],
    ['the same signature twice', (note: string) => note + note.slice(note.indexOf('—'))],
    ['33 signatures', (note: string) => note + lineOfOthers(32)],
    ['more than it may hold', (note: string) => `${'a'.repeat(131_072)}${note}`],
  ])('with %s is none', (_, change) => {
    const { key } = aSigner()
    expect(openNote(change(aCheckpoint()), [key], verifySignature)).toBe('malformed')
  })

  test('with 32 signatures is opened', () => {
    expect(
      openNote(aCheckpoint() + lineOfOthers(31), [aSigner().key], verifySignature),
    ).toHaveProperty('text')
  })

  test('that is anything at all is refused without throwing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, signature) => {
        const { key } = aSigner()
        const encoded = Buffer.from(key.id, 'hex').toString('base64')
        for (const note of [text, `${text}\n\n— ${key.name} ${encoded}${signature}\n`]) {
          expect(['malformed', 'unknown_key', 'bad_signature']).toContain(
            openNote(note, [key], verifySignature),
          )
        }
      }),
    )
  })

  function lineOfOthers(count: number): string {
    const names = Array.from({ length: count }, (_, number) => `witness.example/${number}`)
    return names.map((name) => `— ${name} ${Buffer.alloc(68).toString('base64')}\n`).join('')
  }
})

describe('a checkpoint', () => {
  test('is origin, size and root in a line each', () => {
    expect(aCheckpoint().split('\n\n')[0]).toBe(
      `${ORIGIN}\n20852163\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=`,
    )
    expect(openCheckpoint(aCheckpoint(), [aSigner().key], verifySignature)).toEqual({
      origin: ORIGIN,
      size: 20_852_163,
      root: EMPTY_ROOT,
    })
  })

  test('of another log is not vouched for by this one', () => {
    const [own, other] = [aSigner(), aSigner('gateway.example/audit/org_other')]
    const note = aCheckpoint([own], other.key.name)
    expect(openCheckpoint(note, [own.key, other.key], verifySignature)).toBe('unknown_key')
  })

  test.each([
    ['an extension', `${ORIGIN}\n1\n${toBase64(EMPTY_ROOT)}\nmore\n`],
    ['a zero in front', `${ORIGIN}\n01\n${toBase64(EMPTY_ROOT)}\n`],
    ['a sign', `${ORIGIN}\n+1\n${toBase64(EMPTY_ROOT)}\n`],
    ['a size that is not held exactly', `${ORIGIN}\n9007199254740992\n${toBase64(EMPTY_ROOT)}\n`],
    ['a short root', `${ORIGIN}\n1\nAAAA\n`],
    [
      'a root in another alphabet',
      `${ORIGIN}\n1\n${Buffer.from(EMPTY_ROOT).toString('base64url')}\n`,
    ],
    ['two lines', `${ORIGIN}\n1\n`],
  ])('with %s is refused, although it is signed', (_, text) => {
    const note = signNote(text, [aSigner()]) ?? ''
    expect(openCheckpoint(note, [aSigner().key], verifySignature)).toBe('malformed')
  })

  test('of a size that cannot be is not signed', () => {
    const root = EMPTY_ROOT
    for (const size of [-1, 1.5, 2 ** 53, Number.NaN]) {
      expect(signCheckpoint({ origin: ORIGIN, size, root }, [aSigner()])).toBeUndefined()
    }
  })

  test('is refused with any single byte changed', () => {
    const keys = [aSigner().key]
    const opened = alterations(aCheckpoint()).filter(
      (changed) => typeof openCheckpoint(changed, keys, verifySignature) !== 'string',
    )
    expect(opened).toEqual([])
  })
})

/** The same text again and again, each time with another letter at one place. */
function alterations(text: string): string[] {
  return Array.from(text, (letter, place) =>
    ['A', '0', '+', '=', '\n', ' ', String.fromCodePoint((letter.codePointAt(0) ?? 0) ^ 1)]
      .filter((other) => other !== letter)
      .map((other) => text.slice(0, place) + other + text.slice(place + 1)),
  ).flat()
}
