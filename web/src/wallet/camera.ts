export type CameraProblem = 'cameraRefused' | 'cameraMissing' | 'cameraBusy'

export type Camera = {
  readonly stop: () => void
  /** Null if the camera has no light. */
  readonly setLight: ((isOn: boolean) => void) | null
}

/**
 * Shows a camera in `video`, preferably the rear one, or returns the reason for a failure. `onLost` is called when another
 * app takes the camera.
 */
export async function openCamera(
  video: HTMLVideoElement,
  onLost: () => void,
): Promise<Camera | CameraProblem> {
  if (navigator.mediaDevices === undefined) return 'cameraMissing'
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    })
    const stop = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    video.srcObject = stream
    // `play` fails if the page is closed in the meantime. The caller then stops the camera.
    await video.play().catch(() => {})
    const track = stream.getVideoTracks()[0]!
    track.onended = onLost
    const hasLight = 'torch' in (track.getCapabilities?.() ?? {})
    const setLight = (isOn: boolean) =>
      void track.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] })
    return { stop, setLight: hasLight ? setLight : null }
  } catch (error) {
    const name = (error as DOMException).name
    if (name === 'NotAllowedError' || name === 'SecurityError') return 'cameraRefused'
    return name === 'NotReadableError' || name === 'AbortError' ? 'cameraBusy' : 'cameraMissing'
  }
}
