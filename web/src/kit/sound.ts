/** Two notes, rising for good news and falling for bad. */
const NOTES: Record<string, readonly [number, number]> = {
  completed: [660, 880],
  failed: [440, 330],
  expired: [440, 330],
  refunded: [660, 660],
}

/** A page may make a sound only after somebody has touched it; until then it stays silent. */
export function prepareSound(): (outcome: string) => void {
  let audio: AudioContext | undefined
  const begin = () => {
    try {
      audio ??= new AudioContext()
    } catch {
      // No sound here. What happened is shown and announced all the same.
    }
  }
  for (const gesture of ['pointerdown', 'keydown']) {
    addEventListener(gesture, begin, { once: true })
  }
  return (outcome) => {
    const notes = NOTES[outcome]
    if (audio === undefined || notes === undefined) return
    for (const [n, hertz] of notes.entries()) sound(audio, hertz, audio.currentTime + n * 0.16)
  }
}

function sound(audio: AudioContext, hertz: number, at: number): void {
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: hertz })
  const loudness = new GainNode(audio, { gain: 0 })
  loudness.gain.linearRampToValueAtTime(0.15, at + 0.02)
  loudness.gain.linearRampToValueAtTime(0, at + 0.18)
  tone.connect(loudness).connect(audio.destination)
  tone.start(at)
  tone.stop(at + 0.2)
}
