// Single-key commands for the whole page. Ignores keys in a field or a dialog, and keys with a modifier.
import { useEffect, useRef } from 'react'

/** Returns true when it used the key. The browser then does nothing with it. */
export type KeyAction = (event: KeyboardEvent) => boolean

export const useKeys = (actions: Readonly<Record<string, KeyAction>>): void => {
  const present = useRef(actions)
  useEffect(() => {
    present.current = actions
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isElsewhere(event.target)
      )
        return
      if (present.current[event.key]?.(event)) event.preventDefault()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [data-modal]') !== null)
