import { afterAll } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { describeBoundedBodies } from './bounded-bodies.ts'

const app = await createTestApp()
afterAll(() => app.stop())

await describeBoundedBodies(app, await app.organization(), 'every')
