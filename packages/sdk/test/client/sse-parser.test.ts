import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser, type SseMessage } from '../../src/client/sse-parser.ts'

function parse(...pieces: string[]): SseMessage[] {
  const parser = createSseParser()
  return pieces.flatMap((piece) => parser.push(piece))
}

describe('the parser of server-sent events', () => {
  test('gives a message once its empty line has come', () => {
    const parser = createSseParser()
    expect(parser.push('id: evt_1\nevent: transaction.approved\ndata: {"a":1}\n')).toEqual([])
    expect(parser.push('\n')).toEqual([
      { id: 'evt_1', event: 'transaction.approved', data: '{"a":1}' },
    ])
  })

  test('gives every message of a piece, in order', () => {
    expect(parse('data: 1\n\ndata: 2\n\ndata: 3\n\n').map(({ data }) => data)).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  test.each([
    ['line feeds', '\n'],
    ['returns', '\r'],
    ['both', '\r\n'],
  ])('reads lines that end with %s', (_name, end) => {
    const text = ['id: 1', 'data: a', 'data: b', '', 'data: c', '', ''].join(end)
    expect(parse(text)).toEqual([
      { id: '1', event: 'message', data: 'a\nb' },
      { id: '1', event: 'message', data: 'c' },
    ])
  })

  test('takes a return and a line feed in two pieces for one line end', () => {
    expect(parse('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual([
      { id: '', event: 'message', data: 'a\nb' },
    ])
  })

  test('does not wait for the line feed after a return', () => {
    expect(parse('data: a\r\r')).toHaveLength(1)
  })

  test('ignores comments, retry and fields that it does not know', () => {
    expect(parse('retry: 2000\n\n: still here\n\n:\ncolour: red\ndata: a\n\n')).toEqual([
      { id: '', event: 'message', data: 'a' },
    ])
  })

  test('joins lines of data with line feeds, empty ones included', () => {
    expect(parse('data: a\ndata\ndata:\ndata: b\n\n')[0]?.data).toBe('a\n\n\nb')
  })

  test('takes away one space after the colon, and no more', () => {
    expect(parse('data:a\ndata: b\ndata:  c\ndata: d: e\n\n')[0]?.data).toBe('a\nb\n c\nd: e')
  })

  test('keeps the last id for messages without one', () => {
    expect(parse('id: 1\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).toEqual(['1', '1'])
  })

  test('does not carry the kind of one message over to the next', () => {
    expect(parse('event: x\n\ndata: a\n\n')[0]?.event).toBe('message')
  })

  test('moves on by a block that has an id and no data', () => {
    const parser = createSseParser()
    expect(parser.push('retry: 2000\nid: evt_7\n\n')).toEqual([])
    expect(parser.lastEventId).toBe('evt_7')
  })

  test('does not move on by a block that is not complete', () => {
    const parser = createSseParser('evt_1')
    parser.push('id: evt_2\ndata: a\n')
    expect(parser.lastEventId).toBe('evt_1')
  })

  test('ignores an id with a null character, and lets an empty one forget the last', () => {
    expect(
      parse('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n').map(({ id }) => id),
    ).toEqual(['1', '1', ''])
  })

  test('refuses a message that would never end', () => {
    const parser = createSseParser()
    const push = () => {
      for (let count = 0; count < 100; count++) parser.push(`data: ${'x'.repeat(50_000)}\n`)
    }
    expect(push).toThrow('too long')
  })

  test('gives the same messages however the stream is cut', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:b',
      'id: 1',
      'id',
      'event: e',
      ': c',
      'data',
      '',
      '',
    )
    const end = fc.constantFrom('\n', '\r', '\r\n')
    const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (stream, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)), stream.length]
        places.sort((a, b) => a - b)
        const pieces = places.map((place, index) => stream.slice(place, places[index + 1]))
        expect(parse(...pieces)).toEqual(parse(stream))
      }),
    )
  })
})
