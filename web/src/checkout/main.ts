import './checkout.css'
import { offerCopy } from '../kit/copy.ts'
import { prepareSound } from '../kit/sound.ts'
import { keepClock } from './clock.ts'
import { followPayment } from './follow.ts'

// The page is whole without this script; it keeps the clock going and shows what happens at once.
const play = prepareSound()
const stopClock = keepClock(() => follow.look())
const number = document.querySelector<HTMLButtonElement>('[data-copy]')
if (number !== null) offerCopy(number, () => number.dataset.copy!)
const follow = followPayment((outcome) => {
  stopClock()
  play(outcome)
})
