// A few words for a moment after an action that shows nothing else, on screen and to a screen reader.
import { Store, useStore } from '../data/store.ts'
import { copyText } from './copy_text.ts'
import { useSettled } from './use_settled.ts'

const SHOWN_MS = 2_500

const words = new Store<{ readonly text: string } | null>(null)

export const copyAndSay = async (text: string): Promise<void> =>
  words.write({ text: (await copyText(text)) ? 'Copied.' : 'It could not be copied.' })

export const Said = () => {
  const said = useStore(words)
  const isOver = useSettled(said, SHOWN_MS) === said
  return (
    <p className={isOver ? 'visually-hidden' : 'over low-note'} role="status" data-testid="said">
      {isOver ? null : said?.text}
    </p>
  )
}
