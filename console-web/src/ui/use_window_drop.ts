// Takes what is dropped anywhere on the page, where otherwise the browser would leave the page to show the
// file. An area for drops that takes it itself comes first.
import { useEffect, useRef } from 'react'

export const useWindowDrop = (take: (transfer: DataTransfer) => void): void => {
  const present = useRef(take)
  useEffect(() => {
    present.current = take
  })
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault()
    const drop = (event: DragEvent): void => {
      if (event.defaultPrevented || event.dataTransfer === null) return
      event.preventDefault()
      present.current(event.dataTransfer)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
}
