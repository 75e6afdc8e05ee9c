// When an element with the focus goes with what it belongs to, such as the row that its button has ended, the page
// takes the focus, so that the keyboard does not begin at the top again.
import { type RefObject, useLayoutEffect, useRef } from 'react'

export const useFocusHeir = <T extends HTMLElement>(): RefObject<T | null> => {
  const element = useRef<T>(null)
  useLayoutEffect(() => {
    const held = element.current
    return () => {
      const main = held?.closest('main')
      if (held !== document.activeElement || main === null || main === undefined) return
      main.tabIndex = -1
      main.focus({ preventScroll: true })
    }
  }, [])
  return element
}
