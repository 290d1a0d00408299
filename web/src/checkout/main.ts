import './checkout.css'
import '../kit/polyfills.ts'
import { enableCopy } from '../kit/copy.ts'
import { prepareSound } from '../kit/sound.ts'
import { startCountdown } from './countdown.ts'
import { followPayment } from './follow.ts'

// The page works without this script, which runs the countdown and shows changes immediately.
const play = prepareSound()
const stopCountdown = startCountdown(() => payment.poll())
const copyButton = document.querySelector<HTMLButtonElement>('[data-copy]')
if (copyButton !== null) enableCopy(copyButton, () => copyButton.dataset.copy!)
const payment = followPayment((outcome) => {
  stopCountdown()
  play(outcome)
})
