// Laws about a page as it is displayed. Each is evaluated in the page and returns one line for each offence.

/** No motion when the person asked for none. Nothing that lasts longer than a frame is running. */
export const motion = (): string[] =>
  document
    .getAnimations()
    .filter(
      ({ playState, effect }) =>
        playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 20,
    )
    .map((animation) => {
      const name = animation instanceof CSSAnimation ? animation.animationName : 'a transition'
      const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null
      return `${name} runs on .${target?.className}`
    })

/** What is marked for a moment stays marked, so that its contrasts are measured too. */
export const markFresh = (): void => {
  for (const row of document.querySelectorAll<HTMLElement>('[data-fresh]')) row.dataset.fresh = 'true'
}

/** With colours of the system, what is chosen still differs from what is not: the present place, a switch, a row. */
export const chosenIsSeen = (): string[] => {
  const look = (one: Element): string => {
    const style = getComputedStyle(one)
    return [
      style.borderTopColor,
      style.borderBottomColor,
      style.backgroundColor,
      style.textDecorationLine,
      style.outlineStyle,
    ].join()
  }
  const CHOSEN = '[aria-current], [aria-pressed=true], [aria-checked=true], [aria-selected=true]'
  return [...document.querySelectorAll(CHOSEN)]
    .filter((one) => one.checkVisibility())
    .flatMap((one) => {
      const others = [...(one.parentElement?.children ?? [])].filter(
        (other) => other.tagName === one.tagName && other.role === one.role && !other.matches(CHOSEN),
      )
      return others.some((other) => look(other) === look(one))
        ? [`${one.textContent} is chosen and looks like what is not`]
        : []
    })
}

/** Nothing is wider than the window, in the direction that is given. */
export const tooWide = async (direction: string): Promise<string[]> => {
  document.documentElement.dir = direction
  // What follows the size of the window is drawn with the next frame.
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter((one) => {
    const { left, right } = one.getBoundingClientRect()
    const beyond = right > clientWidth + 1 || left < -1
    return beyond && getComputedStyle(one).position !== 'fixed'
  })
  const names = wide.slice(-3).map((one) => `${one.tagName.toLowerCase()}.${one.className}`)
  return [`${scrollWidth} px wide: ${names.join(', ')}`]
}

/** On paper nothing stays where it is on a screen, because it would cover the text of each sheet. */
export const coversPaper = (): string[] =>
  [...document.querySelectorAll('body *')]
    .filter((one) => {
      const { position, clipPath } = getComputedStyle(one)
      return /fixed|sticky/.test(position) && clipPath === 'none' && one.checkVisibility()
    })
    .map((one) => `${one.tagName.toLowerCase()}.${one.className} stays in sight`)

/** At 320 by 256 everything can be read and reached. Leaves the page at its top. */
export const zoomed = (): string[] => {
  const found: string[] = []
  const stays = (one: Element | null): boolean =>
    one !== null && (/fixed|sticky/.test(getComputedStyle(one).position) || stays(one.parentElement))
  window.scrollTo({ top: 200, behavior: 'instant' })
  const covered = Array.from({ length: window.innerHeight }, (_, y) => y).filter((y) => {
    const one = document.elementFromPoint(160, y)
    return one !== null && one.closest('header, nav, footer') !== null && stays(one)
  }).length
  if (covered > window.innerHeight / 3) found.push(`bars cover ${covered} of ${window.innerHeight} px`)
  const content = document.querySelector('[data-testid=drawer]') ?? document.querySelector('main')
  const last = [...(content?.querySelectorAll('a, button, input, textarea, summary') ?? [])]
    .filter((one) => one.checkVisibility())
    .at(-1)
  if (last !== undefined) {
    last.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    // Of a link over two lines its first part, because the middle of the whole may be beside it.
    const { left, top, width, height } = last.getClientRects()[0] ?? last.getBoundingClientRect()
    const there = document.elementFromPoint(Math.min(left + width / 2, 319), top + height / 2)
    if (there !== last && !last.contains(there) && there?.closest('label') === null)
      found.push(`the last control cannot be reached: ${last.textContent} is below .${there?.className}`)
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  return found
}

/** Collects layout shifts from the start of the document. Evaluated before its own scripts. */
export const SHIFTS_SCRIPT = `
  window.layoutShifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.layoutShifts.push({ value, of: sources.map(({ node }) => node?.className ?? node?.nodeName) })
  }).observe({ type: 'layout-shift', buffered: true })`

/** The sum of all shifts, and what moved, when that is too much. */
export const shifted = ({ most }: { readonly most: number }): string[] => {
  const shifts: unknown = Reflect.get(window, 'layoutShifts')
  if (!Array.isArray(shifts)) throw new Error('Nothing observes the layout of this document.')
  const sum = shifts.reduce((total: number, shift: { value: number }) => total + shift.value, 0)
  return sum < most ? [] : [`${sum.toFixed(3)}: ${JSON.stringify(shifts)}`]
}
