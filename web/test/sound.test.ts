import { afterEach, expect, it, vi } from 'vitest'
import { prepareSound } from '../src/kit/sound.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('starts again at the next tap after the device has suspended it', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  let state = ''
  class FakeAudio {
    async resume() {
      state = 'running'
    }
  }
  vi.stubGlobal('AudioContext', FakeAudio)
  prepareSound()
  // On a touch screen, the browser doesn't allow sound yet.
  page.dispatchEvent(new Event('pointerdown'))
  expect(state).toBe('')
  for (const gesture of ['pointerup', 'click', 'keydown']) {
    state = 'suspended'
    page.dispatchEvent(new Event(gesture))
    expect(state).toBe('running')
  }
})

it('drops the sound of a sale that was paid while the device had suspended it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  let isSuspended = false
  let wake = () => {}
  class FakeAudio {
    currentTime = 0
    resume() {
      if (!isSuspended) return Promise.resolve()
      const before = wake
      return new Promise<void>((resolve) => {
        wake = () => {
          before()
          resolve()
        }
      })
    }
  }
  const started: number[] = []
  class FakeNode {
    gain = { linearRampToValueAtTime() {} }
    connect = () => this
    start = (at: number) => started.push(at)
    stop() {}
  }
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('OscillatorNode', FakeNode)
  vi.stubGlobal('GainNode', FakeNode)
  const play = prepareSound()
  page.dispatchEvent(new Event('click'))
  isSuspended = true
  play('completed')
  vi.advanceTimersByTime(60_000)
  wake()
  isSuspended = false
  await new Promise(setImmediate)
  expect(started).toEqual([])
  play('completed')
  await new Promise(setImmediate)
  expect(started).toHaveLength(2)
})
