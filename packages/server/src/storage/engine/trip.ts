import type { Writable } from 'node:stream'
import { type FieldDef, type PoolClient, Query } from 'pg'
import utils from 'pg/lib/utils.js'
import { noteRead } from './full-disk.ts'
import type { Statement } from './queryable.ts'
import { NO_COLUMNS, shapesOf, type ToRow, toShape } from './row-shapes.ts'

/** The server's answer to one statement. */
export interface Answer<Row = unknown> {
  readonly rows: Row[]
  /** The first word of the command, as the server names it. */
  readonly command: string
}

/** A statement of a trip, and what happens with its answer. */
export interface Passenger {
  readonly statement: Statement
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** An answer with a value that the types of columns cannot read. */
interface Unreadable {
  readonly unreadable: unknown
}

/** The parts of the driver's connection that a trip uses. */
interface Connection {
  readonly stream: Writable
  /** The texts of prepared statements: those that the server has, and those on their way to it. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { name: string; text: string }): void
  bind(message: object): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  sync(): void
}

/**
 * Sends statements together, with a single Sync at the end. The driver would send a Sync and a
 * Describe with each of them, and both sides would read and write several times as many messages.
 *
 * If a statement fails, the server skips the rest up to the Sync, also a commit. All skipped
 * statements fail with the error of the first.
 */
export function sendTrip(client: PoolClient, passengers: readonly Passenger[]): void {
  client.query(new Trip(passengers))
}

// The driver accepts only its own class while it pipelines, and its types do not say what it calls.
const DriverQuery = Query as unknown as new (text: string) => object

class Trip extends DriverQuery {
  /** The statement that the server is working on. The driver notes it as prepared once it is parsed. */
  name: string | undefined
  text = ''
  /** The driver wraps this function, to end its time limit. */
  callback: (error: unknown) => void = () => {}
  private readonly passengers: readonly Passenger[]
  private readonly answers: (Answer | Unreadable)[] = []
  /** The rows of the current statement. The driver has its own use for the name `rows`. */
  private collected: Record<string, unknown>[] = []
  private unreadable: Unreadable | undefined
  private shapes: Map<string, ToRow> = NONE_KNOWN
  private shape: ToRow | undefined
  /** Why the first unanswered statement was not sent: one of its values has no form on the wire. */
  private unsent: unknown

  constructor(passengers: readonly Passenger[]) {
    super('')
    this.passengers = passengers
  }

  submit(connection: Connection): null {
    this.shapes = shapesOf(connection)
    this.goTo(0)
    connection.stream.cork()
    try {
      for (const { statement } of this.passengers) write(connection, this.shapes, statement)
    } catch (error) {
      this.unsent = error
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.shape = toShape(fields)
    if (this.name !== undefined) this.shapes.set(this.name, this.shape)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      if (this.shape) this.collected.push(this.shape(fields))
    } catch (error) {
      this.unreadable ??= { unreadable: error }
    }
  }

  handleCommandComplete(message: { readonly text: string }): void {
    const [command = ''] = message.text.split(' ', 1)
    const answer = { rows: this.collected, command }
    this.answers.push(this.unreadable ?? answer)
    // It was described and has no columns, or its shape is known.
    if (this.name !== undefined && !this.shape) this.shapes.set(this.name, NO_COLUMNS)
    this.goTo(this.answers.length)
  }

  handleReadyForQuery(): void {
    this.settle()
    this.callback(null)
  }

  handleError(error: Error, connection: Connection): void {
    // Statements that the server skipped are not prepared.
    for (const { statement } of this.passengers.slice(this.answers.length)) {
      if (statement.name !== undefined) delete connection.submittedNamedStatements[statement.name]
    }
    noteRead(error, this.text)
    this.settle(error)
    this.callback(error)
  }

  private goTo(at: number): void {
    const { name, text = '' } = this.passengers[at]?.statement ?? {}
    this.name = name
    this.text = text
    this.collected = []
    this.unreadable = undefined
    this.shape = name === undefined ? undefined : this.shapes.get(name)
  }

  /** The statements that the server has answered succeed, and all others fail. */
  private settle(error = this.unsent): void {
    this.passengers.forEach(({ resolve, reject }, at) => {
      const answer = this.answers[at]
      if (answer === undefined) reject(error ?? new Error('The server did not answer a statement.'))
      else if ('unreadable' in answer) reject(answer.unreadable)
      else resolve(answer)
    })
  }
}

function write(connection: Connection, shapes: Map<string, ToRow>, statement: Statement): void {
  const { name, text, values = NO_VALUES } = statement
  const { parsedStatements, submittedNamedStatements } = connection
  const parsed = name && (parsedStatements[name] ?? submittedNamedStatements[name])
  if (parsed !== undefined && parsed !== text) {
    throw new Error(`Two statements have the name ${name}.`)
  }
  if (parsed === undefined) {
    connection.parse({ name: name ?? '', text })
    if (name !== undefined) submittedNamedStatements[name] = text
  }
  connection.bind({ statement: name, values, valueMapper: utils.prepareValue })
  if (name === undefined || !shapes.has(name)) connection.describe({ type: 'P', name: '' })
  connection.execute({})
}

const NONE_KNOWN: Map<string, ToRow> = new Map()
const NO_VALUES: readonly unknown[] = []
