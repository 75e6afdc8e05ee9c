// A few words for a moment after an action that shows nothing else, on screen and to a screen reader.
import { useEffect } from 'react'
import { Store, useStore } from '../data/store.ts'
import { copyText } from './copy_text.ts'

const SHOWN_MS = 2_500

const words = new Store<{ readonly text: string } | null>(null)

export const copyAndSay = async (text: string): Promise<void> =>
  words.write({ text: (await copyText(text)) ? 'Copied.' : 'It could not be copied.' })

export const Said = () => {
  const said = useStore(words)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => words.write(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <p className={said === null ? 'visually-hidden' : 'over low-note'} role="status" data-testid="said">
      {said?.text}
    </p>
  )
}
