// Where the person is on a page. A new page begins at its heading, for the keyboard and for screen readers;
// "back" and "forward" lead to where the page was left, also when its content comes late.
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { entryName } from '../data/address.ts'
import { keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { number, shape, text } from '../data/shape.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'

const NAME = 'pharos.scroll'
/** The places of older history entries are forgotten. */
const MOST_ENTRIES = 100
/** A page that is still empty then stays at its top. */
const WAIT_MS = 10_000

export const usePlace = (): void => {
  const [path] = useLocation()
  const heading = useRef<Element | null | undefined>(undefined)
  useEffect(recallPlaces, [])
  useWindowEvent('scroll', () => {
    const entry = entryName()
    const place = places.get(entry)
    if (place !== undefined && !isRestoring) keepPlace(entry, { ...place, top: Math.round(window.scrollY) })
  })
  useWindowEvent('pagehide', () => keepJson('tab', NAME, [...places]))
  useEffect(() => {
    const before = heading.current
    const isFirst = before === undefined
    const entry = entryName()
    const left = places.get(entry)
    // An entry of the history that was left before, and has led to this page then too.
    const isBack = left?.path === path
    if (!isBack) keepPlace(entry, { path, top: 0 })
    // A new page that is still being loaded is at its top too.
    if (!isFirst && !isBack && !isShown(before)) window.scrollTo({ top: 0, behavior: 'instant' })
    return whenHeaded(before ?? null, (now) => {
      heading.current = now
      if (now === before) keepPlace(entry, { path, top: Math.round(window.scrollY) })
      if (now === before || (isFirst && !isBack)) return undefined
      if (!isFirst && document.querySelector('main')?.contains(document.activeElement) !== true) focusOn(now)
      return scrollWhenLong(isBack ? left.top : 0)
    })
  }, [path])
}

const readPlace = shape({ path: text, top: number })

type Place = ReturnType<typeof readPlace>

/** By the names of history entries, the one that was shown last at the end. */
const places = new Map<string, Place>()

const keepPlace = (entry: string, place: Place): void => {
  places.delete(entry)
  places.set(entry, place)
  for (const oldest of places.keys()) {
    if (places.size <= MOST_ENTRIES) break
    places.delete(oldest)
  }
}

const recallPlaces = (): void => {
  for (const [entry, place] of readPlaces()) places.set(entry, place)
  window.history.scrollRestoration = 'manual'
}

const readPlaces = (): readonly (readonly [string, Place])[] =>
  keptJson('tab', NAME, (list) =>
    Array.isArray(list)
      ? list
          .slice(-MOST_ENTRIES)
          .map(([entry, place]: unknown[]): [string, Place] => [text(entry), readPlace(place)])
      : [],
  ) ?? []

type Cleanup = (() => void) | undefined

/** Calls `act` with the heading of the page: at once when it is there, otherwise when it appears. */
const whenHeaded = (before: Element | null, act: (heading: Element | null) => Cleanup): (() => void) => {
  const present = isShown(before) ? before : shownHeading()
  let cleanup: Cleanup
  if (present !== null) {
    cleanup = act(present)
    return () => cleanup?.()
  }
  const look = (): void => {
    const found = shownHeading()
    if (found === null) return
    stop()
    cleanup = act(found)
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(() => stop(), WAIT_MS)
  const stop = (): void => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    stop()
    cleanup?.()
  }
}

/** While the code of the next page is loaded, the page from before is still in the document, but not displayed. */
const isShown = (heading: Element | null | undefined): heading is Element =>
  heading?.isConnected === true && heading.checkVisibility()

const shownHeading = (): Element | null => [...document.querySelectorAll('h1')].find(isShown) ?? null

const focusOn = (heading: Element | null): void => {
  if (!(heading instanceof HTMLElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** While the page grows to the length that it had, the scrolling that this causes is not the person's. */
let isRestoring = false

/** Scrolls there now, or when the page has become long enough, unless the person has scrolled before. */
const scrollWhenLong = (top: number): (() => void) => {
  const reach = (): boolean => {
    window.scrollTo({ top, behavior: 'instant' })
    return Math.abs(window.scrollY - top) < 2
  }
  if (reach()) return () => undefined
  isRestoring = true
  const observer = new ResizeObserver(() => {
    if (reach()) stop()
  })
  const stop = (): void => {
    isRestoring = false
    observer.disconnect()
    clearTimeout(timer)
    for (const event of BY_HAND) window.removeEventListener(event, stop)
  }
  const timer = setTimeout(stop, WAIT_MS)
  for (const event of BY_HAND) window.addEventListener(event, stop, { passive: true })
  observer.observe(document.body)
  return stop
}

const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
