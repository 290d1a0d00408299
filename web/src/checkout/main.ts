import './checkout.css'
import { prepareSound } from '../app/sound.ts'
import { keepClock } from './clock.ts'
import { offerCopy } from './copy.ts'
import { followPayment } from './follow.ts'

// The page is whole without this script; it keeps the clock going and shows what happens at once.
const play = prepareSound()
const stopClock = keepClock(() => follow.look())
offerCopy()
const follow = followPayment((outcome) => {
  stopClock()
  play(outcome)
})
