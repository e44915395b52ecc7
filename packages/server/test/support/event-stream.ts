import { request } from 'node:http'

export interface StreamedEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** A client of server-sent events over a real connection. */
export interface EventStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** All received text, unchanged. */
  readonly text: string
  readonly events: readonly StreamedEvent[]
  /** The messages without an id, which only a signed-in member gets. */
  readonly hints: readonly Omit<StreamedEvent, 'id'>[]
  /** How it ended: the server ended it normally, or it was cut off. Undefined while it is open. */
  readonly end: 'ended' | 'cut' | undefined
  close(): void
}

interface StreamOptions {
  readonly query?: string
  readonly lastEventId?: string
  /** Sent instead of the key. */
  readonly cookie?: string
}

/** Opens a stream and resolves when the head of the answer has arrived. */
export function openEventStream(
  serverUrl: string,
  apiKey: string,
  { query = '', lastEventId, cookie }: StreamOptions = {},
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const call = request(`${serverUrl}/api/v1/events${query}`, {
      // Each stream has its own connection: streams do not end, and must not wait for each other.
      agent: false,
      headers: {
        accept: 'text/event-stream',
        ...(cookie === undefined
          ? { authorization: `Bearer ${apiKey}` }
          : { cookie, 'sec-fetch-site': 'same-origin' }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    })
    call.once('error', reject)
    call.once('response', (response) => {
      let text = ''
      let end: EventStream['end']
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', () => {})
      response.once('close', () => {
        end = response.complete ? 'ended' : 'cut'
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        get text() {
          return text
        },
        get events() {
          return parseEvents(text)
        },
        get hints() {
          return parseMessages(text).flatMap(({ id, event, data }) =>
            id === undefined && event !== undefined ? [{ event, data: data ?? '' }] : [],
          )
        },
        get end() {
          return end
        },
        close: () => call.destroy(),
      })
    })
    call.end()
  })
}

function parseEvents(text: string): StreamedEvent[] {
  return parseMessages(text).flatMap(({ id, event, data }) =>
    id !== undefined && event !== undefined && data !== undefined ? [{ id, event, data }] : [],
  )
}

function parseMessages(text: string): { [Field in keyof StreamedEvent]: string | undefined }[] {
  const whole = text.split('\n\n').slice(0, -1)
  return whole.map((message) => {
    const fields = new Map(
      message.split('\n').map((line) => {
        const [name = '', ...value] = line.split(': ')
        return [name, value.join(': ')] as const
      }),
    )
    const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
    return { id, event, data }
  })
}
