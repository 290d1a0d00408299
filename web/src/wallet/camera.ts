export type CameraProblem = 'cameraRefused' | 'cameraMissing' | 'cameraBusy'

export type Camera = {
  readonly stop: () => void
  /** Null where the camera has no light. */
  readonly setLight: ((isOn: boolean) => void) | null
}

/** Shows the camera at the back in `video`, or says why it cannot. */
export async function openCamera(video: HTMLVideoElement): Promise<Camera | CameraProblem> {
  if (navigator.mediaDevices === undefined) return 'cameraMissing'
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    })
    const stop = () => {
      for (const one of stream.getTracks()) one.stop()
    }
    video.srcObject = stream
    // Fails when the page is left meanwhile; whoever left has stopped it as well.
    await video.play().catch(() => {})
    const track = stream.getVideoTracks()[0]!
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
