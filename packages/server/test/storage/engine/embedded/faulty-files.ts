import {
  DurableFiles,
  type EngineWatch,
} from '../../../../src/storage/engine/embedded/durable-files.ts'

type Init = DurableFiles['init']

/** Syncs like the real ones until told otherwise; then the sync is asked of a file that is not open. */
export class FailingFiles extends DurableFiles {
  readonly #state: { readonly isFailing: boolean }

  constructor(folder: string, watch: EngineWatch, state: { readonly isFailing: boolean }) {
    super(folder, watch)
    this.#state = state
  }

  override async init(...[engine, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(engine, options)
    const wrap = (module: { readonly NODEFS?: unknown }): void => {
      const operations = operationsOf(module)
      const fsync: unknown = Reflect.get(operations, 'fsync')
      if (typeof fsync !== 'function') throw new Error('There is no hook to wrap.')
      Reflect.set(operations, 'fsync', (stream: object) =>
        fsync(this.#state.isFailing ? { ...stream, nfd: 999_999 } : stream),
      )
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRunOf(emscriptenOpts), wrap] } }
  }
}

/** As PGlite comes: nobody syncs. */
export class UnsyncedFiles extends DurableFiles {
  override async init(...[engine, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(engine, options)
    const remove = (module: { readonly NODEFS?: unknown }): void => {
      Reflect.deleteProperty(operationsOf(module), 'fsync')
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRunOf(emscriptenOpts), remove] } }
  }
}

/** As a later PGlite might come: with its files somewhere else. */
export class WithoutFileOperations extends DurableFiles {
  override async init(...[engine, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(engine, options)
    const hooks = preRunOf(emscriptenOpts)
    const remove = (module: object): void => {
      Reflect.set(module, 'NODEFS', { ...Object(Reflect.get(module, 'NODEFS')), stream_ops: null })
    }
    const preRun = [...hooks.slice(0, -1), remove, ...hooks.slice(-1)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

function preRunOf(options: Awaited<ReturnType<Init>>['emscriptenOpts']) {
  return options.preRun ?? []
}

function operationsOf(module: { readonly NODEFS?: unknown }): object {
  return Object(Reflect.get(Object(module.NODEFS), 'stream_ops'))
}
