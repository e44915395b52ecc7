#!/usr/bin/env node
// Committed, so that npm can link the command before the first build has made dist.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, '../dist/main.cjs')
// The build has compiled the code, which would be most of the work of a start. A different version
// of V8 does not accept the result, and compiles the code itself.
const main = new Script(`(function (require) {${readFileSync(filename, 'latin1')}\n})`, {
  filename,
  cachedData: readFileSync(join(__dirname, '../dist/main.cache')),
})
main.runInThisContext()(require)
