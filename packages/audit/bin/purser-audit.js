#!/usr/bin/env node
// Committed, so that npm can link the command before the first build has made dist.
import '../dist/purser-audit.js'
