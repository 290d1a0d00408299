// Loaded before the service. Makes its clock wrong by the number of milliseconds in the file that
// FLORIN_WRONG_BY names. Reads the file again at SIGUSR2, to simulate a change of the clock.
import { readFileSync } from 'node:fs'

const RightDate = Date
let wrongByMs = 0
const readOffset = () => {
  wrongByMs = Number(readFileSync(process.env.FLORIN_WRONG_BY, 'utf8'))
}
readOffset()
process.on('SIGUSR2', readOffset)

class WrongDate extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RightDate.now() + wrongByMs] : args))
  }

  static now() {
    return RightDate.now() + wrongByMs
  }
}
globalThis.Date = WrongDate
