import { useState } from 'react'
import { prepareSound } from '../kit/sound.ts'
import { storedText } from '../kit/storage.ts'

const stored = storedText('florin.till.sound')
const isOn = () => stored.get() !== 'off'

// Prepare when the page loads: browsers allow sound only after the first tap or key press.
const play = prepareSound()

/** Plays the sound of an outcome, unless this device is muted. */
export function playOutcome(outcome: string): void {
  if (isOn()) play(outcome)
}

/** Whether this device plays sounds, and a setter that remembers it. */
export function useSound() {
  const [isSoundOn, setOn] = useState(isOn)
  return {
    isSoundOn,
    setSound: (on: boolean) => {
      stored.set(on ? 'on' : 'off')
      setOn(on)
    },
  }
}
