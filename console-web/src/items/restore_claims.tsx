// Gives an item the claims back that somebody kept. Only the very same ones are sent: their hash is known.
import './items.css'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal } from '../data/refused_fields.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { FormField } from '../ui/form_field.tsx'
import { FormFoot } from '../ui/form_foot.tsx'
import { changeItem, readGivenClaims } from './change_item.ts'
import type { Item } from './item.ts'

const UNSURE = 'It is not known whether they were given back. Try it again: the same twice is no harm.'

export const RestoreClaims = ({ item, onChanged }: { item: Item; onChanged: () => void }) => {
  const { api } = useConsole()
  const [text, setText] = useState('')
  const form = useSentForm(['claims'], UNSURE)
  const restore = (event: FormEvent): void => {
    event.preventDefault()
    const given = readGivenClaims(text, item)
    if ('why' in given) {
      form.refuse(fieldRefusal('claims', given.why))
      return
    }
    form.send(async (signal) => {
      await changeItem(api, item.id, { redacted: false, claims: given.claims }, signal)
      onChanged()
    })
  }
  return (
    <form className="item-change form-grid" onSubmit={restore} noValidate>
      <h3>Give its claims back</h3>
      <FormField
        label="The claims as JSON"
        note="As they were, in any order. A proof that was kept has them."
        problem={form.problem('claims')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={5}
            data-testid="given-claims"
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              form.clear()
            }}
            spellCheck={false}
          />
        )}
      </FormField>
      <FormFoot
        caption="Give back"
        running="Checking…"
        isRunning={form.sending}
        testId="restore"
        look="plain"
        problem={form.whole}
      />
    </form>
  )
}
