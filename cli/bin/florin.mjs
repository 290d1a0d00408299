#!/usr/bin/env node
import { prepare } from '../../scripts/prepare.mjs'

// Build first if the clone is new or has changed, so that the command works right after cloning and pulling.
prepare()
process.setSourceMapsEnabled(true)
await import('../../dist/florin.js')
