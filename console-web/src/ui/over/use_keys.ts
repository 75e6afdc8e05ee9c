// Single-key commands for the whole page, and the help that tells them. Ignores keys in a field, a menu or a dialog, and keys
// with a modifier.
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Store } from '../../data/store.ts'

/** False when it did not use the key. The browser does nothing with a key that was used. */
type KeyAction = (event: KeyboardEvent) => unknown

/**
 * `around`: the keys of what stands around the page. The page itself comes first, however late it was loaded,
 * because an event reaches the document before the window.
 */
export const useKeys = (actions: Readonly<Record<string, KeyAction>>, around = false): void => {
  const pressed = useEffectEvent((event: Event): void => {
    if (
      !(event instanceof KeyboardEvent) ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isElsewhere(event.target)
    )
      return
    const action = actions[event.key]
    if (action !== undefined && action(event) !== false) event.preventDefault()
  })
  useEffect(() => {
    const target = around ? window : document
    target.addEventListener('keydown', pressed)
    return () => target.removeEventListener('keydown', pressed)
  }, [around])
}

const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [data-modal], [role=menu]') !== null)

/** The names of the keys, and what they do. */
export type KeyHelp = readonly [readonly string[], string]

export type PageHelp = { readonly keys: readonly KeyHelp[]; readonly more?: ReactNode }

/** Of the page that is shown. The bar has a button for it. */
export const pageHelp = new Store<PageHelp>({ keys: [] })

/** @param help the same object at each render */
export const usePageHelp = (help: PageHelp): void =>
  useEffect(() => {
    pageHelp.write(help)
    return () => pageHelp.write({ keys: [] })
  }, [help])
