// Takes what is dropped anywhere on the page, where otherwise the browser would leave the page to show the file, and says
// meanwhile what would become of it. An area for drops that takes it itself comes first.
import './hashing.css'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { Store, useStore } from '../data/store.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'

type DropTaker = {
  /** Over the page while a file is held above it. */
  readonly words: string
  readonly note: string
  readonly take: (transfer: DataTransfer) => void
}

const takers = new Store<readonly DropTaker[]>([])

/** Of several parts of the page, the one that came last takes it. */
export const useWindowDrop = ({ words, note, take }: DropTaker): void => {
  const dropped = useEffectEvent(take)
  // Before the page is seen, so that what is dropped at once is taken too.
  useLayoutEffect(() => {
    const taker: DropTaker = { words, note, take: (transfer) => dropped(transfer) }
    takers.write([...takers.read(), taker])
    return () => takers.write(takers.read().filter((one) => one !== taker))
  }, [words, note])
}

/** Once around all pages. `otherwise` takes what no part of the page takes. */
export const DropVeil = (otherwise: DropTaker) => {
  const [isOver, setOver] = useState(false)
  const taker = useStore(takers).at(-1) ?? otherwise
  useWindowEvent('dragover', (event) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    // The area shows by itself that it takes it.
    setOver(!(event.target instanceof Element && event.target.closest('.file-drop') !== null))
  })
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false)
  })
  useWindowEvent('drop', (event) => {
    setOver(false)
    if (event.defaultPrevented || event.dataTransfer === null || !holdsFiles(event)) return
    event.preventDefault()
    taker.take(event.dataTransfer)
  })
  if (!isOver) return null
  return (
    <div className="drop-veil" data-testid="drop-veil" aria-hidden="true">
      <p className="stack">
        <strong>{taker.words}</strong>
        <span>{taker.note}</span>
      </p>
    </div>
  )
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
