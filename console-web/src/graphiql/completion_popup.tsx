// The list of words that can stand at the cursor, under the word being written.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Completions } from './completion.ts'

type CompletionPopupProps = {
  readonly id: string
  readonly completions: Completions
  readonly selected: number
  /** The coloured copy of the text: it knows where on the screen a character is. */
  readonly layer: RefObject<HTMLPreElement | null>
  readonly onChoose: (index: number) => void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

export const CompletionPopup = ({ id, completions, selected, layer, onChoose }: CompletionPopupProps) => {
  const box = useRef<HTMLDivElement>(null)
  const { from, choices } = completions
  useLayoutEffect(() => {
    if (box.current !== null && layer.current !== null) place(box.current, layer.current, from)
  }, [from, layer])
  useLayoutEffect(() => {
    document.getElementById(optionId(id, selected))?.scrollIntoView({ block: 'nearest' })
  }, [id, selected])
  const doc = choices[selected]?.doc ?? ''
  return (
    <div ref={box} className="completions" data-testid="completions">
      <div id={id} role="listbox" aria-label="Completions" className="completion-list">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text; the field names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which holds the focus
          <div
            key={choice.label}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === selected}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(index)}
          >
            <span>{choice.label}</span>
            <small>{choice.detail}</small>
          </div>
        ))}
      </div>
      {doc !== '' && <p className="completion-doc">{doc}</p>}
    </div>
  )
}

/** Below the word, or above it where there is no room; never beyond the right edge. */
const place = (box: HTMLElement, layer: HTMLElement, offset: number): void => {
  const at = characterBox(layer, offset)
  const { offsetWidth: width, offsetHeight: height } = box
  const below = at.bottom + 4
  const top = below + height > window.innerHeight && at.top - height - 4 > 0 ? at.top - height - 4 : below
  box.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`
  box.style.top = `${top}px`
}

const characterBox = (layer: HTMLElement, offset: number): DOMRect => {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (offset < before + length) {
      const range = document.createRange()
      range.setStart(node, offset - before)
      range.setEnd(node, offset - before + 1)
      return range.getClientRects()[0] ?? range.getBoundingClientRect()
    }
    before += length
  }
  return layer.getBoundingClientRect()
}
