// Listens to the window while a part of the page is shown.
import { useEffectEvent, useLayoutEffect } from 'react'

/** From before the part is seen, so that nothing is missed that happens at once. */
export const useWindowEvent = <Name extends keyof WindowEventMap>(
  name: Name,
  act: (event: WindowEventMap[Name]) => void,
): void => {
  const heard = useEffectEvent(act)
  useLayoutEffect(() => {
    window.addEventListener(name, heard)
    return () => window.removeEventListener(name, heard)
  }, [name])
}
