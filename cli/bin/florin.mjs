#!/usr/bin/env node
import { prepare } from '../../scripts/prepare.mjs'

// A fresh clone is not built yet; whoever types a command should not have to know that.
prepare()
await import('../dist/main.js')
