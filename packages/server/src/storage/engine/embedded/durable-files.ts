import { closeSync, fsyncSync, openSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

export interface EngineWatch {
  /** A file has been synced to disk. */
  onSync(): void
  /**
   * The engine must not be used any more: its statements about its data are no longer true.
   */
  onDeath(reason: Error): void
}

type InitParameters = Parameters<NodeFS['init']>

/** Emscripten's number for an input/output error. Postgres panics when a sync reports it. */
const EIO = 29

/**
 * The files of the embedded engine, synced when Postgres asks for it. PGlite's own file system
 * never syncs: a power cut would lose commits that were acknowledged.
 */
export class DurableFiles extends NodeFS {
  readonly #watch: EngineWatch

  constructor(folder: string, watch: EngineWatch) {
    super(folder)
    this.#watch = watch
  }

  override async init(
    engine: InitParameters[0],
    options: InitParameters[1],
  ): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options)
    const installHook = (module: unknown): void => installSyncHook(module, this.#watch)
    const preRun = [...(emscriptenOpts.preRun ?? []), installHook]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

/**
 * Gives the engine's module a sync that reaches the disk. Throws if the module does not have the
 * expected shape, which may happen after an upgrade of PGlite: running without it would be unsafe.
 */
export function installSyncHook(module: unknown, watch: EngineWatch): void {
  const files = memberOf(module, 'NODEFS')
  const streamOperations = memberOf(files, 'stream_ops')
  const realPath = memberOf(files, 'realPath')
  if (!isObject(module) || !isObject(streamOperations) || typeof realPath !== 'function') {
    throw new Error(
      'The embedded database cannot be made durable: this version of PGlite has no file system ' +
        'that syncs could be added to. Install the version named in package.json.',
    )
  }
  Reflect.set(streamOperations, 'fsync', (stream: unknown) => {
    try {
      syncStream(stream, (node) => String(Reflect.apply(realPath, files, [node])))
    } catch (error) {
      watch.onDeath(new Error('A sync to disk failed.', { cause: error }))
      return EIO
    }
    watch.onSync()
    return 0
  })
  Reflect.set(module, 'onAbort', (reason: unknown) => {
    const death = new Error(`The embedded database has aborted. ${String(reason)}`)
    watch.onDeath(death)
    // PGlite catches the abort and would go on feeding messages to the dead engine, which never
    // takes them: an endless loop. It calls this function next, outside of its catch.
    Reflect.set(module, 'stackRestore', () => {
      throw death
    })
  })
}

/** A folder has no descriptor of its own in Emscripten's streams, so it is opened for the sync. */
function syncStream(stream: unknown, toRealPath: (node: unknown) => string): void {
  const descriptor = memberOf(stream, 'nfd')
  if (typeof descriptor === 'number') {
    fsyncSync(descriptor)
    return
  }
  // Windows cannot open folders and keeps their entries durable by itself.
  if (process.platform === 'win32') return
  const folder = openSync(toRealPath(memberOf(stream, 'node')), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
