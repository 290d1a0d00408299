/** Felt where the device can; where it cannot, nothing happens. */
export function buzz(pattern: number | number[]): void {
  navigator.vibrate?.(pattern)
}

/** Two rising notes. Made here: a sound file would have to be loaded when it is needed. */
export function chime(): void {
  if (!('AudioContext' in window)) return
  const audio = new AudioContext()
  for (const [at, pitch] of [
    [0, 659.25],
    [0.12, 987.77],
  ] as const) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const start = audio.currentTime + at
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.18, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.45)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.5)
    if (at > 0) tone.onended = () => void audio.close()
  }
}
