import type { Wallet } from '@florin/contract/wallet.js'
import './scan.css'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon } from '../kit/display.tsx'
import { SandboxRibbon, useDocumentTitle } from '../kit/Page.tsx'
import { type Camera, type CameraProblem, openCamera } from './camera.ts'
import { type CodeProblem, parseScanned } from './codes.ts'
import { openDecoder } from './decoder.ts'
import { useLanguage } from './language.ts'
import { navigateInstead } from './navigation.tsx'

const FRAME_SIDE_PX = 720
const PICTURE_SIDES_PX = [1000, 2000, 500]
const SLOW_MS = 6_000

type Hint = 'scanHelp' | 'scanSlow' | 'reading' | 'noCodeInPicture' | CodeProblem

export default function Scan({ me }: { me: Wallet }) {
  const { translate } = useLanguage()
  const video = useRef<HTMLVideoElement>(null)
  const [hint, setHint] = useState<Hint>('scanHelp')
  const [camera, setCamera] = useState<Camera | CameraProblem | null>(null)
  const [isLightOn, setLightOn] = useState(false)
  const [attempts, setAttempts] = useState(0)
  /** When the camera last started to search for a code, or a problem was shown. */
  const sinceMs = useRef(0)
  const reopen = () => setAttempts((before) => before + 1)
  const { mode } = me

  useDocumentTitle(translate('scanToPay'))

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reopens the camera.
  useEffect(() => {
    let isClosed = false
    const cleanups: (() => void)[] = []
    async function scan() {
      const opened = await openCamera(video.current!, () => isClosed || reopen())
      if (typeof opened === 'string') return void (isClosed || setCamera(opened))
      cleanups.push(opened.stop)
      if (isClosed) return opened.stop()
      setCamera(opened)
      const decoder = await openDecoder()
      cleanups.push(decoder.close)
      sinceMs.current = performance.now()
      while (!isClosed) {
        const scanned = parseScanned(await decoder.read(video.current!, FRAME_SIDE_PX), mode)
        if (isClosed) break
        if (scanned !== null) {
          if ('page' in scanned) return openFound(scanned.page)
          setHint(scanned.problem)
          sinceMs.current = performance.now()
        } else if (performance.now() - sinceMs.current > SLOW_MS) setHint('scanSlow')
        await new Promise((next) => setTimeout(next, 60))
      }
      decoder.close()
    }
    setCamera(null)
    // Throw the error in a render, so that `LoadBoundary` catches it and offers to reload the page.
    scan().catch((error) =>
      setHint(() => {
        throw error
      }),
    )
    return () => {
      isClosed = true
      for (const cleanup of cleanups) cleanup()
    }
  }, [mode, attempts])

  async function readFile({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ''
    if (file === undefined) return
    setHint('reading')
    const scanned = parseScanned(await readPicture(file), mode)
    sinceMs.current = performance.now()
    if (scanned === null) return setHint('noCodeInPicture')
    if ('problem' in scanned) return setHint(scanned.problem)
    openFound(scanned.page)
  }

  const hasCameraProblem = typeof camera === 'string'
  const setLight = camera !== null && !hasCameraProblem ? camera.setLight : null
  return (
    <div className="scan">
      {mode === 'sandbox' && <SandboxRibbon />}
      <main className="scan-main">
        <h1 className="visually-hidden">{translate('scanToPay')}</h1>
        <video ref={video} className="scan-video" muted playsInline />
        {!hasCameraProblem && <div className="scan-frame" />}
        <div className="scan-words">
          {hasCameraProblem && (
            <div className="stack" role="alert">
              <h2>{translate(camera)}</h2>
              <p>{translate(`${camera}Help`)}</p>
            </div>
          )}
          <p role="status">{hasCameraProblem && hint === 'scanHelp' ? '' : translate(hint)}</p>
        </div>
        <div className="scan-actions">
          {hasCameraProblem && camera !== 'cameraMissing' && (
            <Button look="quiet" onClick={reopen}>
              {translate('tryAgain')}
            </Button>
          )}
          {setLight && (
            <Button
              look="quiet"
              onClick={() => {
                setLight(!isLightOn)
                setLightOn(!isLightOn)
              }}
            >
              <Icon name="light" />
              {translate(isLightOn ? 'lightOff' : 'lightOn')}
            </Button>
          )}
          <label className="button button-quiet">
            <Icon name="picture" />
            {translate('choosePicture')}
            <input
              className="visually-hidden"
              type="file"
              accept="image/*"
              onChange={(event) => void readFile(event)}
            />
          </label>
          <Button look="quiet" onClick={() => navigateInstead('type')}>
            <Icon name="keypad" />
            {translate('typeNumber')}
          </Button>
          <Button look="quiet" onClick={() => navigateInstead('')}>
            <Icon name="close" />
            {translate('cancel')}
          </Button>
        </div>
      </main>
    </div>
  )
}

/** Opens the page of a code that was found. */
function openFound(page: string): void {
  navigator.vibrate?.(80)
  navigateInstead(page)
}

/** Returns the texts of the codes. Tries several sizes: a code can be a small part of the photo, or fill it. */
async function readPicture(file: File): Promise<readonly string[]> {
  let decoder: Awaited<ReturnType<typeof openDecoder>> | null = null
  let picture: ImageBitmap | null = null
  try {
    decoder = await openDecoder()
    picture = await createImageBitmap(file)
    for (const side of PICTURE_SIDES_PX) {
      const texts = await decoder.read(picture, side)
      if (texts.length > 0) return texts
    }
    return []
  } catch {
    // The file is not an image, or the decoder could not be loaded.
    return []
  } finally {
    decoder?.close()
    picture?.close()
  }
}
