// Loaded before the service, so that its clock is wrong by as many milliseconds as the file says that
// FLORIN_WRONG_BY names; read again at SIGUSR2, as when somebody sets the clock of a running machine.
import { readFileSync } from 'node:fs'

const RightDate = Date
let wrongByMs = 0
const set = () => {
  wrongByMs = Number(readFileSync(process.env.FLORIN_WRONG_BY, 'utf8'))
}
set()
process.on('SIGUSR2', set)

class WrongDate extends RightDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RightDate.now() + wrongByMs] : given))
  }

  static now() {
    return RightDate.now() + wrongByMs
  }
}
globalThis.Date = WrongDate
