import { afterEach, expect, it, vi } from 'vitest'
import { prepareSound } from '../src/kit/sound.ts'

afterEach(() => vi.unstubAllGlobals())

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
