import './scan.css'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon } from '../kit/display.tsx'
import { SandboxRibbon } from '../kit/Page.tsx'
import type { Me } from './api.ts'
import { type Camera, type CameraProblem, openCamera } from './camera.ts'
import { readCode } from './codes.ts'
import { openDecoder } from './decoder.ts'
import { buzz } from './feedback.ts'
import { useLanguage } from './language.ts'
import { goInstead } from './route.ts'

const FRAME_SIDE = 720
const PICTURE_SIDES = [1000, 2000, 500]
const SLOW_MS = 6_000

type Hint = 'scanHelp' | 'scanSlow' | 'reading' | 'noCodeInPicture' | Wrong
type Wrong = 'notFlorin' | 'wrongDigit' | 'liveCode' | 'sandboxCode'

export default function Scan({ me }: { me: Me }) {
  const { say } = useLanguage()
  const video = useRef<HTMLVideoElement>(null)
  const [hint, setHint] = useState<Hint>('scanHelp')
  const [camera, setCamera] = useState<Camera | CameraProblem | null>(null)
  const [isLit, setIsLit] = useState(false)
  const [tries, setTries] = useState(0)
  const { mode } = me

  useEffect(() => {
    document.title = `${say('scanToPay')} · Florin`
  }, [say])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try opens the camera anew.
  useEffect(() => {
    let isOver = false
    const end: (() => void)[] = []
    async function scan() {
      const opened = await openCamera(video.current!)
      if (typeof opened === 'string') return void (isOver || setCamera(opened))
      end.push(opened.stop)
      if (isOver) return opened.stop()
      setCamera(opened)
      const decoder = await openDecoder()
      end.push(decoder.close)
      let since = performance.now()
      while (!isOver) {
        const text = await decoder.read(video.current!, FRAME_SIDE)
        if (isOver) break
        if (text !== null) {
          const problem = take(text)
          if (problem === null) return
          setHint(problem)
          since = performance.now()
        } else if (performance.now() - since > SLOW_MS) setHint('scanSlow')
        await new Promise((next) => setTimeout(next, 60))
      }
      decoder.close()
    }
    function take(text: string): Wrong | null {
      const read = readCode(text, mode)
      if ('problem' in read) return read.problem
      buzz(80)
      goInstead(`pay/${read.code}`)
      return null
    }
    setCamera(null)
    void scan()
    return () => {
      isOver = true
      for (const one of end) one()
    }
  }, [mode, tries])

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ''
    if (file === undefined) return
    setHint('reading')
    const text = await readPicture(file)
    const read = text === null ? null : readCode(text, mode)
    if (read === null) return setHint('noCodeInPicture')
    if ('problem' in read) return setHint(read.problem)
    buzz(80)
    goInstead(`pay/${read.code}`)
  }

  const isBlocked = typeof camera === 'string'
  const setLight = camera !== null && !isBlocked ? camera.setLight : null
  return (
    <div className="scan">
      {mode === 'sandbox' && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <main className="scan-main">
        <h1 className="unseen">{say('scanToPay')}</h1>
        <video ref={video} className="scan-video" muted playsInline />
        {!isBlocked && <div className="scan-frame" />}
        <div className="scan-words">
          {isBlocked && (
            <div className="stack" role="alert">
              <h2>{say(camera)}</h2>
              <p>{say(`${camera}Help`)}</p>
            </div>
          )}
          <p role="status">{isBlocked && hint === 'scanHelp' ? '' : say(hint)}</p>
        </div>
        <div className="scan-actions">
          {isBlocked && camera !== 'cameraMissing' && (
            <Button look="quiet" onClick={() => setTries(tries + 1)}>
              {say('tryAgain')}
            </Button>
          )}
          {setLight && (
            <Button
              look="quiet"
              onClick={() => {
                setLight(!isLit)
                setIsLit(!isLit)
              }}
            >
              <Icon name="light" />
              {say(isLit ? 'lightOff' : 'lightOn')}
            </Button>
          )}
          <label className="button button-quiet">
            <Icon name="picture" />
            {say('choosePicture')}
            <input
              className="unseen"
              type="file"
              accept="image/*"
              onChange={(event) => void choose(event)}
            />
          </label>
          <Button look="quiet" onClick={() => goInstead('type')}>
            <Icon name="keypad" />
            {say('typeNumber')}
          </Button>
          <Button look="quiet" onClick={() => goInstead('')}>
            <Icon name="close" />
            {say('cancel')}
          </Button>
        </div>
      </main>
    </div>
  )
}

/** A photograph may be large and the code on it small, or the other way round. */
async function readPicture(file: File): Promise<string | null> {
  const decoder = await openDecoder()
  try {
    const picture = await createImageBitmap(file)
    for (const side of PICTURE_SIDES) {
      const text = await decoder.read(picture, side)
      if (text !== null) return text
    }
    return null
  } catch {
    // Not a picture.
    return null
  } finally {
    decoder.close()
  }
}
