import { makePrepared } from './storage/engine/embedded/make-prepared.ts'
import { PREPARED_FOLDER } from './storage/engine/embedded/prepared.ts'

// The build runs this, so that nobody waits for it at a start.
await makePrepared(PREPARED_FOLDER)
