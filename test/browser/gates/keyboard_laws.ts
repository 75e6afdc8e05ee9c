// What the keyboard comes to on a page, stop by stop. Evaluated in the page, where it remembers the stops.
interface Look {
  /** How far it reaches. Negative without one. */
  readonly outline: number
  readonly shadow: string
}

export const openKeyboard = () => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary'
  const STOPS = `${CONTROLS}, [tabindex], [contenteditable=true]`
  /** What is one stop for all that is in it, if the keys of arrows walk there. */
  const GROUPS = '[role=listbox], [role=tablist], [role=radiogroup], [role=menu], ol, ul'
  const met = new Set<Element>()
  let last: { readonly stop: Element; readonly looks: readonly Look[] } | null = null

  const nameOf = (one: Element): string => {
    const words = one.getAttribute('aria-label') ?? one.textContent ?? ''
    return `${one.tagName.toLowerCase()}.${one.className} “${words.trim().slice(0, 40)}”`
  }
  const isSeen = (one: Element): boolean =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.matches(':disabled, [inert], [inert] *') &&
    getComputedStyle(one).clipPath === 'none'
  /** The mark of the focus may stand at a part of what has it, such as the gutter of an editor, or around it. */
  const placesOf = (stop: Element): readonly Element[] => {
    const around: Element[] = [stop]
    let one = stop.parentElement
    for (let level = 0; level < 3 && one !== null; level += 1) {
      around.push(one, ...one.children)
      one = one.parentElement
    }
    return around
  }
  const outlineOf = (one: Element): number => {
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(one)
    const width = Number.parseFloat(outlineWidth)
    const isDrawn = outlineStyle !== 'none' && width >= 2 && !/rgba\(.*, 0\)/.test(outlineColor)
    return isDrawn ? Math.max(0, width + Number.parseFloat(outlineOffset)) : -1
  }
  const looksOf = (stop: Element) =>
    placesOf(stop).map((one) => ({ outline: outlineOf(one), shadow: getComputedStyle(one).boxShadow }))

  /** At how many of its four sides the outline cannot be seen. What a box has no room for is seen in parts. */
  const cutSides = (one: Element): number => {
    const beyond = outlineOf(one)
    const { left, top, right, bottom } = one.getBoundingClientRect()
    const sides = { left: left - beyond, top: top - beyond, right: right + beyond, bottom: bottom + beyond }
    const cut = new Set<string>()
    const within = (box: { left: number; top: number; right: number; bottom: number }): void => {
      if (right - left <= box.right - box.left) {
        if (sides.left < box.left - 1) cut.add('left')
        if (sides.right > box.right + 1) cut.add('right')
      }
      if (bottom - top <= box.bottom - box.top) {
        if (sides.top < box.top - 1) cut.add('top')
        if (sides.bottom > box.bottom + 1) cut.add('bottom')
      }
    }
    within({ left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight })
    for (let box = one; getComputedStyle(box).position !== 'fixed' && box.parentElement !== null; ) {
      box = box.parentElement
      const { overflowX, contain } = getComputedStyle(box)
      if (box === document.body || (overflowX === 'visible' && !/paint|strict|content/.test(contain)))
        continue
      const rect = box.getBoundingClientRect()
      const [x, y] = [rect.left + box.clientLeft, rect.top + box.clientTop]
      within({ left: x, top: y, right: x + box.clientWidth, bottom: y + box.clientHeight })
    }
    return cut.size
  }

  /** What is at its middle, as far as that is in the window. */
  const isCovered = (stop: Element): boolean => {
    const { left, top, right, bottom } = stop.getClientRects()[0] ?? stop.getBoundingClientRect()
    const x = (Math.max(0, left) + Math.min(window.innerWidth, right)) / 2
    const y = (Math.max(0, top) + Math.min(window.innerHeight, bottom)) / 2
    const there = document.elementFromPoint(x, y)
    return there === null || !(stop.contains(there) || there.contains(stop))
  }

  /** Whether what was left looks as it did with the focus. */
  const leave = async (): Promise<string[]> => {
    const left = last
    last = null
    if (left === null || !left.stop.isConnected) return []
    await marked(left.stop, false)
    const now = looksOf(left.stop)
    const isGone = ({ outline, shadow }: Look, at: number): boolean =>
      (outline >= 0 && now[at]?.outline !== outline) || (shadow !== 'none' && now[at]?.shadow !== shadow)
    return left.looks.some(isGone) ? [] : [`${nameOf(left.stop)} has no mark of the focus`]
  }

  /** CodeMirror marks that it has the focus a little later. */
  const marked = async (stop: Element, isIn: boolean): Promise<void> => {
    const editor = stop.closest('.cm-editor')
    while (editor?.isConnected && editor.matches('.cm-focused') !== isIn)
      await new Promise(requestAnimationFrame)
  }

  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')

  return {
    /** After a Tab. `isOut` after the last stop. In an `editor` the key is one of the text. */
    arrive: async () => {
      const stop = document.activeElement
      // A field of a date has a stop for each part of it, which the browser marks.
      if (stop !== null && stop === last?.stop && stop.matches('[type^=date]'))
        return { found: [], isOut: false, isEditor: false }
      const found = await leave()
      const isFirst = met.size === 0
      if (stop === null || stop === document.body || stop === [...met][0])
        return { found: isFirst ? ['Tab comes to nothing'] : found, isOut: true, isEditor: false }
      if (isFirst && !stop.matches('.skip-link')) found.push(`${nameOf(stop)} is the first stop`)
      if (met.has(stop)) found.push(`${nameOf(stop)} is a stop twice`)
      met.add(stop)
      await marked(stop, true)
      last = { stop, looks: looksOf(stop) }
      if (!isSeen(stop)) found.push(`${nameOf(stop)} is a stop and not seen`)
      if (isCovered(stop)) found.push(`${nameOf(stop)} is covered or out of view`)
      const isEditor = stop.matches('[contenteditable=true]')
      const help = (stop.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id))
      if (isEditor && !help.some((one) => /Escape, then Tab/.test(one?.textContent ?? '')))
        found.push(`${nameOf(stop)} does not say how to leave it`)
      const outlined = placesOf(stop).find((one) => outlineOf(one) >= 0)
      if (outlined !== undefined && cutSides(outlined) > 1)
        found.push(`the mark of ${nameOf(stop)} is cut off at ${cutSides(outlined)} sides`)
      return { found, isOut: false, isEditor }
    },
    /** What could be used, and was not come to. */
    missed: (): string[] => {
      const isMet = (one: HTMLElement): boolean => {
        if (met.has(one)) return true
        const group = one.closest(GROUPS)
        if (one instanceof HTMLInputElement && one.type === 'radio')
          return [...met].some((other) => other instanceof HTMLInputElement && other.name === one.name)
        return one.tabIndex < 0 && [...met].some((other) => group?.contains(other))
      }
      return [...document.querySelectorAll<HTMLElement>(STOPS)]
        .filter((one) => isSeen(one) && (one.tabIndex >= 0 || one.matches(CONTROLS)) && !isMet(one))
        .map((one) => `${nameOf(one)} is never come to`)
    },
  }
}
