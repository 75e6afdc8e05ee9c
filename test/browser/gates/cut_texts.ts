// Which texts of a page end, across the width that is shown, where nobody can read on. Evaluated in the page.

/** Returns the texts that cannot. Of the strip it looks at what is seen before it is scrolled. */
export const cutTexts = (): string[] => {
  const CARDS = '.card, .box, .over, .file-drop, .strip'
  /** Where the whole of a text can be read, or what leads there. */
  const WHOLE = '[title], [data-tip], a[href], button, summary, [role=option]'
  /** Shorter ones have room in any column. */
  const SHORT = 12
  const MOST_WORDS = 60
  const found = new Set<string>()
  const tell = (how: string, where: Element, text: string): void => {
    const name = `${where.tagName.toLowerCase()}.${where.className}`
    found.add(`“${text.trim().replace(/\s+/g, ' ').slice(0, MOST_WORDS)}” ${how} ${name}`)
  }
  /** Inside its borders. */
  const boxOf = (one: Element): readonly [left: number, right: number] => {
    const left = one.getBoundingClientRect().left + one.clientLeft
    return [left, left + one.clientWidth]
  }
  /** What stands absolutely is not cut by what it does not stand in. */
  const outerOf = (one: Element): Element | null => {
    const { position } = getComputedStyle(one)
    if (position === 'fixed') return null
    return position === 'absolute' && one instanceof HTMLElement ? one.offsetParent : one.parentElement
  }

  const lookAt = (text: Text, parent: Element): void => {
    const range = document.createRange()
    range.selectNodeContents(text)
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
    const [left, right] = [
      Math.min(...rects.map((one) => one.left)),
      Math.max(...rects.map((one) => one.right)),
    ]
    if (rects.length === 0) return
    let isCarded = false
    for (let one: Element | null = parent; one !== null && one !== document.body; one = outerOf(one)) {
      const { clipPath, overflowX, textOverflow, lineHeight } = getComputedStyle(one)
      // A mark takes the place of its words.
      if (clipPath !== 'none' || (overflowX !== 'visible' && lineHeight === '0px')) return
      // The rest of it is scrolled to.
      if (overflowX === 'auto' || (overflowX === 'scroll' && !one.matches('.strip'))) return
      const isCard: boolean = !isCarded && one.matches(CARDS)
      isCarded ||= isCard
      if (overflowX === 'visible' && !isCard) continue
      const [from, to] = boxOf(one)
      if (left >= from - 1 && right <= to + 1) continue
      // Out of the strip's view, it is scrolled to as well.
      if (one.matches('.strip') && (right <= from || left >= to)) return
      const hasWhole = one.closest(WHOLE) !== null || one.querySelector(WHOLE) !== null
      const isShort = (one.textContent ?? '').trim().length <= SHORT
      // The block that a flag stands over tells its names.
      if (textOverflow === 'ellipsis' && (one.matches('.flag') || (hasWhole && !isShort))) return
      tell(overflowX === 'visible' ? 'hangs over' : 'is cut by', one, text.data)
      return
    }
  }

  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || parent === null || node.data.trim() === '') continue
    if (parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) lookAt(node, parent)
  }

  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    if (!field.checkVisibility({ visibilityProperty: true })) continue
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    if (pen !== null && field instanceof HTMLInputElement && field.value === '') {
      pen.font = font
      if (pen.measureText(field.placeholder).width > room + 1)
        tell('does not fit into', field, field.placeholder)
    }
    if (!field.type.startsWith('datetime')) continue
    const alone = field.cloneNode()
    if (!(alone instanceof HTMLInputElement)) continue
    alone.value = '2026-11-27T00:00:00'
    alone.style.cssText = 'position: absolute; width: auto; min-width: 0'
    field.after(alone)
    const needed = alone.getBoundingClientRect().width
    alone.remove()
    if (needed > field.getBoundingClientRect().width + 1)
      tell(`needs ${Math.ceil(needed)} px in`, field, 'a day and a time')
  }
  return [...found]
}
