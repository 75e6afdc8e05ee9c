// Where the person is on a page. A new page begins at its heading, for the keyboard and for screen readers;
// "back" and "forward" lead to where the page was left, also when its content comes late.
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { entryName } from '../data/address.ts'
import { keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { listOf, number, shape, text } from '../data/shape.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'

const NAME = 'pharos.scroll'
/** The places of older history entries are forgotten. */
const MOST_ENTRIES = 100
/** A page that is still empty then stays at its top. */
const WAIT_MS = 10_000

export const usePlace = (): void => {
  const [path] = useLocation()
  const heading = useRef<HTMLElement>(undefined)
  useEffect(() => {
    window.history.scrollRestoration = 'manual'
  }, [])
  useWindowEvent('scroll', () => {
    const place = placeOf(entryName())
    if (place !== undefined && !isRestoring) keepPlace({ ...place, top: Math.round(window.scrollY) })
  })
  useWindowEvent('pagehide', () => keepJson('tab', NAME, places))
  useEffect(() => {
    const before = heading.current
    const isFirst = before === undefined
    const entry = entryName()
    const place = placeOf(entry)
    // An entry of the history that was left before, and has led to this page then too.
    const isBack = place?.path === path
    if (!isBack) keepPlace({ entry, path, top: 0 })
    // A new page that is still being loaded is at its top too.
    if (!isFirst && !isBack && !before?.isConnected) window.scrollTo({ top: 0, behavior: 'instant' })
    const left = new AbortController()
    whenHeaded(before, left.signal, (now) => {
      heading.current = now
      if (now === before) keepPlace({ entry, path, top: Math.round(window.scrollY) })
      if (now === before || (isFirst && !isBack)) return
      if (!isFirst && document.querySelector('main')?.contains(document.activeElement) !== true) focusOn(now)
      scrollWhenLong(isBack ? place.top : 0, left.signal)
    })
    return () => left.abort()
  }, [path])
}

/** Each by the name of its history entry. */
const readPlaces = listOf(shape({ entry: text, path: text, top: number }))

/** The one that was shown last is at the end. */
let places = keptJson('tab', NAME, readPlaces) ?? []

const placeOf = (entry: string) => places.find((place) => place.entry === entry)

const keepPlace = (kept: (typeof places)[number]): void => {
  places = [...places.filter(({ entry }) => entry !== kept.entry), kept].slice(-MOST_ENTRIES)
}

/** Calls `act` with the heading of the page: at once when it is there, otherwise when it appears. */
const whenHeaded = (
  before: HTMLElement | undefined,
  left: AbortSignal,
  act: (heading: HTMLElement) => void,
): void => {
  const ends = AbortSignal.any([left, AbortSignal.timeout(WAIT_MS)])
  const look = (): void => {
    const heading = before?.isConnected ? before : document.querySelector('h1')
    if (heading === null) return
    observer.disconnect()
    act(heading)
  }
  const observer = new MutationObserver(look)
  ends.addEventListener('abort', () => observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  look()
}

const focusOn = (heading: HTMLElement): void => {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** While the page grows to the length that it had, the scrolling that this causes is not the person's. */
let isRestoring = false

/** Scrolls there now, or when the page has become long enough, unless the person has scrolled before. */
const scrollWhenLong = (top: number, left: AbortSignal): void => {
  const done = new AbortController()
  const ends = AbortSignal.any([left, done.signal, AbortSignal.timeout(WAIT_MS)])
  const reach = (): void => {
    window.scrollTo({ top, behavior: 'instant' })
    if (Math.abs(window.scrollY - top) < 2) done.abort()
  }
  isRestoring = true
  const observer = new ResizeObserver(reach)
  ends.addEventListener('abort', () => {
    isRestoring = false
    observer.disconnect()
  })
  for (const event of BY_HAND)
    window.addEventListener(event, () => done.abort(), { passive: true, signal: ends })
  observer.observe(document.body)
  reach()
}

const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
