// The tip of a button, for mouse and keyboard. One for the whole page: a button carries its text as `data-tip`, and the
// page shows the tip of the button that is pointed at or focused.
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

const TIP_ID = 'tip'
const POINTED_MS = 400
/** After one tip has been shown, the next appears at once. */
const NEXT_MS = 300

const tipped = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null

export const Tip = () => {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => {
    let shown: HTMLElement | null = null
    let pointed: HTMLElement | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let goneAt = 0
    const show = (next: HTMLElement | null): void => {
      clearTimeout(timer)
      if (shown !== null && next === null) goneAt = Date.now()
      if (shown?.getAttribute('aria-describedby') === TIP_ID) shown.removeAttribute('aria-describedby')
      if (next?.hasAttribute('aria-describedby') === false) next.setAttribute('aria-describedby', TIP_ID)
      shown = next
      setTarget(next)
    }
    const pointAt = ({ target: at, pointerType }: PointerEvent): void => {
      const next = pointerType === 'touch' ? null : tipped(at)
      if (next === pointed) return
      pointed = next
      if (next === null || next !== shown) show(null)
      if (next !== null) timer = setTimeout(show, Date.now() - goneAt < NEXT_MS ? 0 : POINTED_MS, next)
    }
    /** Not when the focus came from a click, or from a dialog that a click closed. */
    const focus = ({ target: at }: FocusEvent): void => {
      const next = tipped(at)
      show(next?.matches(':focus-visible') ? next : null)
    }
    const hide = (): void => show(null)
    const leaveOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || shown === null) return
      // The dialog around it stays open.
      event.stopPropagation()
      event.preventDefault()
      hide()
    }
    const ends = new AbortController()
    const { signal } = ends
    document.addEventListener('pointerover', pointAt, { signal })
    document.addEventListener('focusin', focus, { signal })
    document.addEventListener('focusout', hide, { signal })
    document.addEventListener('pointerdown', hide, { signal })
    document.addEventListener('keydown', leaveOnEscape, { signal, capture: true })
    window.addEventListener('scroll', hide, { signal, capture: true, passive: true })
    return () => {
      ends.abort()
      clearTimeout(timer)
    }
  }, [])
  const text = target?.isConnected ? target.dataset.tip : undefined
  if (target === null || text === undefined) return null
  return createPortal(<PlacedTip key={text} target={target} text={text} />, document.body)
}

/** Above its button, or below it where there is no room above; never beyond the edges of the window. */
const PlacedTip = ({ target, text }: { target: HTMLElement; text: string }) => {
  const place = (tip: HTMLElement | null): void => {
    if (tip === null) return
    const at = target.getBoundingClientRect()
    const { width, height } = tip.getBoundingClientRect()
    const most = document.documentElement.clientWidth - width - EDGE
    const above = at.top - height - GAP
    tip.style.left = `${Math.max(EDGE, Math.min(most, at.left + at.width / 2 - width / 2))}px`
    tip.style.top = `${above < EDGE ? at.bottom + GAP : above}px`
  }
  return (
    <div className="tip" id={TIP_ID} role="tooltip" ref={place}>
      {text}
    </div>
  )
}

const GAP = 6
const EDGE = 8
