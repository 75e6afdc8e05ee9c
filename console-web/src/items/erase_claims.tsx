// Erases the claims of an item, after a question that says what stays and what does not.
import './items.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { Shown } from '../ui/shown_text.tsx'
import { SureQuestion } from '../ui/sure_question.tsx'
import { changeItem } from './change_item.ts'
import type { Item } from './item.ts'

export const EraseClaims = ({ item, onChanged }: { item: Item; onChanged: () => void }) => {
  const { api } = useConsole()
  const [isAsked, setAsked] = useState(false)
  const { state, ask } = useAsked()
  const erase = (): void =>
    ask(async (signal) => {
      await changeItem(api, item.id, { redacted: true }, signal)
      setAsked(false)
      onChanged()
    })
  return (
    <div className="item-change">
      <h3>Erase its claims</h3>
      <p>The item stays in its block, by its hash. Its name, digest and words are erased.</p>
      <button type="button" className="button danger" data-testid="erase" onClick={() => setAsked(true)}>
        Erase the claims…
      </button>
      {isAsked && (
        <SureQuestion
          title="Erase the claims of this item?"
          words={{ no: 'Keep them', yes: 'Erase the claims', running: 'Erasing…' }}
          running={state.kind === 'asking'}
          problem={state.kind === 'failed' ? state.why : null}
          testId="erase-sure"
          onYes={erase}
          onNo={() => setAsked(false)}
        >
          <p>
            The service forgets the claims of{' '}
            <strong>
              <Shown text={item.name ?? item.id} />
            </strong>{' '}
            for good. It keeps no copy.
          </p>
          <p>
            No new proof can be made without them. Proofs that were downloaded before go on to verify. Whoever
            kept the very same claims can give them back later.
          </p>
        </SureQuestion>
      )}
    </div>
  )
}
