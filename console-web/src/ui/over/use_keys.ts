// Single-key commands for the whole page. Ignores keys in a field, a menu or a dialog, and keys with a modifier.
import { useEffect, useRef } from 'react'

/** Returns true when it used the key. The browser then does nothing with it. */
export type KeyAction = (event: KeyboardEvent) => boolean

/**
 * `around`: the keys of what stands around the page. The page itself comes first, however late it was loaded,
 * because an event reaches the document before the window.
 */
export const useKeys = (actions: Readonly<Record<string, KeyAction>>, around = false): void => {
  const present = useRef(actions)
  useEffect(() => {
    present.current = actions
  })
  useEffect(() => {
    const target = around ? window : document
    const pressed = (event: Event): void => {
      if (
        !(event instanceof KeyboardEvent) ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isElsewhere(event.target)
      )
        return
      if (present.current[event.key]?.(event)) event.preventDefault()
    }
    target.addEventListener('keydown', pressed)
    return () => target.removeEventListener('keydown', pressed)
  }, [around])
}

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [data-modal], [role=menu]') !== null)
