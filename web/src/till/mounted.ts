import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is still on the screen. The response to a slow request must not close another sale. */
export function useMounted(): RefObject<boolean> {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
