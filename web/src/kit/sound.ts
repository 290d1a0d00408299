/** Two notes per outcome, in hertz: rising for a success, falling for a failure, the same note twice for a refund. */
const NOTES: Record<string, readonly [number, number]> = {
  completed: [660, 880],
  failed: [440, 330],
  expired: [440, 330],
  cancelled: [440, 330],
  refunded: [660, 660],
}

const MAX_DELAY_MS = 1_000

/** Returns a function that plays the sound of an outcome. Browsers allow sound only after the first tap or key press. */
export function prepareSound(): (outcome: string) => void {
  let audio: AudioContext | undefined
  const start = () => {
    try {
      audio ??= new AudioContext()
      audio.resume().catch(() => {})
    } catch {
      // Without sound, the outcome is still shown and announced.
    }
  }
  // At every gesture, because a device that slept or took a call suspends the sound. Not at `pointerdown`, which doesn't allow
  // sound on a touch screen. In the capture phase, because buttons stop the event.
  for (const gesture of ['pointerup', 'click', 'keydown']) {
    addEventListener(gesture, start, { capture: true })
  }
  return (outcome) => {
    const notes = NOTES[outcome]
    if (audio !== undefined && notes !== undefined) void playNotes(audio, notes)
  }
}

/** Drops the notes of a suspended sound: they would be heard at the next tap, which may belong to another sale. */
async function playNotes(audio: AudioContext, notes: readonly number[]): Promise<void> {
  const untilMs = Date.now() + MAX_DELAY_MS
  try {
    await audio.resume()
  } catch {
    return
  }
  if (Date.now() > untilMs) return
  for (const [n, hertz] of notes.entries()) playNote(audio, hertz, audio.currentTime + n * 0.16)
}

function playNote(audio: AudioContext, hertz: number, startSeconds: number): void {
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: hertz })
  const volume = new GainNode(audio, { gain: 0 })
  volume.gain.linearRampToValueAtTime(0.15, startSeconds + 0.02)
  volume.gain.linearRampToValueAtTime(0, startSeconds + 0.18)
  tone.connect(volume).connect(audio.destination)
  tone.start(startSeconds)
  tone.stop(startSeconds + 0.2)
}
