// Takes a proof pasted anywhere on the page, as text or as a file. A paste into a field stays in the field.
import { useEffect } from 'react'

export const usePaste = (
  wanted: boolean,
  onText: (name: string, text: string) => void,
  onFiles: (files: readonly File[]) => void,
): void => {
  useEffect(() => {
    if (!wanted) return
    const pasted = (event: ClipboardEvent): void => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null) return
      const files = [...(event.clipboardData?.files ?? [])]
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (files.length > 0) onFiles(files)
      else if (text.trim() !== '') onText('Pasted text', text)
    }
    window.addEventListener('paste', pasted)
    return () => window.removeEventListener('paste', pasted)
  }, [wanted, onText, onFiles])
}
