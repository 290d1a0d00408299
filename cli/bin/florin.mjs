#!/usr/bin/env node
import { prepare } from '../../scripts/prepare.mjs'

// Build a fresh clone first, so that the command works right after cloning.
prepare()
process.setSourceMapsEnabled(true)
await import('../../dist/florin.js')
