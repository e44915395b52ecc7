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
  /** How it ended: the server ended it normally, or it was cut off. Undefined while it is open. */
  readonly end: 'ended' | 'cut' | undefined
  close(): void
}

interface StreamOptions {
  readonly query?: string
  readonly lastEventId?: string
}

/** Opens a stream and resolves when the head of the answer has arrived. */
export function openEventStream(
  serverUrl: string,
  apiKey: string,
  { query = '', lastEventId }: StreamOptions = {},
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const call = request(`${serverUrl}/api/v1/events${query}`, {
      // Each stream has its own connection: streams do not end, and must not wait for each other.
      agent: false,
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${apiKey}`,
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
  const whole = text.split('\n\n').slice(0, -1)
  return whole.flatMap((message) => {
    const fields = new Map(
      message.split('\n').map((line) => {
        const [name = '', ...value] = line.split(': ')
        return [name, value.join(': ')] as const
      }),
    )
    const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
    return id !== undefined && event !== undefined && data !== undefined
      ? [{ id, event, data }]
      : []
  })
}
