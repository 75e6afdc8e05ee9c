// What leaves the browser when the draft is submitted, to the letter, before it leaves.
import './items.css'
import { count } from '../ui/format_count.ts'
import { shownText } from '../ui/shown_text.tsx'
import type { Draft, Entry } from './draft.ts'

type OutgoingProps = { readonly draft: Draft; readonly entries: readonly Entry[] }

export const Outgoing = ({ draft, entries }: OutgoingProps) => {
  const [first] = entries
  return (
    <section className="outgoing" aria-labelledby="outgoing" data-testid="outgoing">
      <h2 id="outgoing">What leaves this browser</h2>
      <p className="card-note">{wordsFor(draft, entries.length)}</p>
      {first !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is scrolled by the keyboard too
        <section className="outgoing-claims" tabIndex={0} aria-label="What is sent">
          <pre>
            <code>{shownText(JSON.stringify(first, null, 2))}</code>
          </pre>
        </section>
      )}
      {entries.length > 1 && (
        <p className="card-note">
          And {count(entries.length - 1)} more like it, each with its own name and digest, as listed.
        </p>
      )}
    </section>
  )
}

const wordsFor = ({ way, textAs }: Draft, entries: number): string => {
  if (entries === 0) return 'Nothing yet.'
  if (way === 'text' && textAs === 'claim') return 'The text and these lines, and nothing else.'
  const stays =
    way === 'text' ? 'The text stays here.' : entries === 1 ? 'The file stays here.' : 'The files stay here.'
  return `Only these lines. ${stays} The claims are hashed as they are and cannot be changed afterwards.`
}
