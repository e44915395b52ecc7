import { createSocket } from 'node:dgram'

export interface NameServer {
  readonly address: string
  /** The queried names and types, oldest first. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

type Answer = readonly string[] | 'unknown' | 'broken' | 'silent'

const RESPONSE_CODES = { unknown: 3, broken: 2 }
const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }

/** A name server on the loopback with these records: `A name` and `AAAA name`. */
export async function startNameServer(
  answers: Readonly<Record<string, Answer>>,
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, sender) => {
    const { question, name, type } = readQuestion(query)
    asked.push(`${TYPES[type]} ${name}`)
    const answer = answers[`${TYPES[type]} ${name}`] ?? []
    if (answer !== 'silent') socket.send(toResponse(query, question, type, answer), sender.port)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(resolve)),
  }
}

/** After twelve bytes of header: the labels of the name with their lengths, the type, the class. */
function readQuestion(query: Buffer): { question: Buffer; name: string; type: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  return { question, name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) }
}

function toResponse(
  query: Buffer,
  question: Buffer,
  type: number,
  answer: Exclude<Answer, 'silent'>,
): Buffer {
  const code = typeof answer === 'string' ? RESPONSE_CODES[answer] : 0
  const addresses = typeof answer === 'string' ? [] : answer
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const bytes = toBytes(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // The name of the question.
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([header, question, ...records])
}

function toBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = 8 - groupsOf(head).length - groupsOf(tail).length
  const groups = [...groupsOf(head), ...Array<string>(missing).fill('0'), ...groupsOf(tail)]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
