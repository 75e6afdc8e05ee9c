// What may be changed of an item: who may read it, its tags and its expiry; and its claims, erased or given back.
import './items.css'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { Choice } from '../ui/choice.tsx'
import { FormField } from '../ui/form_field.tsx'
import { FormFoot } from '../ui/form_foot.tsx'
import { changeItem } from './change_item.ts'
import { tagsOf } from './draft.ts'
import { EraseClaims } from './erase_claims.tsx'
import type { Item } from './item.ts'
import { AUDIENCES } from './item_filter.ts'
import { RestoreClaims } from './restore_claims.tsx'

type ItemChangesProps = { readonly item: Item; readonly onChanged: () => void }

export const ItemChanges = ({ item, onChanged }: ItemChangesProps) => (
  <section className="card item-changes" aria-labelledby="item-changes" data-testid="item-changes">
    <h2 id="item-changes">Change it</h2>
    <Settings item={item} onChanged={onChanged} />
    {item.state === 'redacted' ? (
      <RestoreClaims item={item} onChanged={onChanged} />
    ) : (
      <EraseClaims item={item} onChanged={onChanged} />
    )}
  </section>
)

const UNSURE = 'It is not known whether this was saved. Save it again: the same twice is no harm.'

const Settings = ({ item, onChanged }: ItemChangesProps) => {
  const { api } = useConsole()
  const [visibility, setVisibility] = useState(AUDIENCES.find((one) => one === item.visibility) ?? 'private')
  const [tags, setTags] = useState(item.tags.join(', '))
  const [expiry, setExpiry] = useState(minuteOf(item.expiresAt))
  const [isSaved, setSaved] = useState(false)
  const form = useSentForm(['visibility', 'tags', 'expires_at'], UNSURE)
  const isExpiryChanged = expiry !== minuteOf(item.expiresAt)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    form.send(async (signal) => {
      const expires = isExpiryChanged ? { expires_at: expiry === '' ? null : `${expiry}:00.000Z` } : {}
      await changeItem(api, item.id, { visibility, tags: tagsOf({ tags }), ...expires }, signal)
      setSaved(true)
      onChanged()
    })
  }
  const typed = (act: () => void): void => {
    act()
    setSaved(false)
    form.clear()
  }
  return (
    <form className="form-grid" onSubmit={save} noValidate>
      <Choice
        label="Who may read it"
        options={{ private: 'Only me', team: 'My team', public: 'Everybody' }}
        value={visibility}
        onChange={(next) => typed(() => setVisibility(next))}
      />
      <FormField label="Tags" note="Separated by commas." problem={form.problem('tags')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            data-testid="change-tags"
            value={tags}
            onChange={({ target }) => typed(() => setTags(target.value))}
            autoComplete="off"
          />
        )}
      </FormField>
      <FormField
        label="Expires (UTC)"
        note="Then the service erases the claims. Empty for never."
        problem={form.problem('expires_at')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="datetime-local"
            data-testid="change-expiry"
            value={expiry}
            onChange={({ target }) => typed(() => setExpiry(target.value.slice(0, 16)))}
          />
        )}
      </FormField>
      <FormFoot
        caption="Save"
        running="Saving…"
        isRunning={form.sending}
        testId="save-item"
        look="plain"
        outcome={isSaved ? 'Saved.' : null}
        problem={form.whole}
      />
    </form>
  )
}

/** For the field of a time, which has no zone. Its times are UTC here. */
const minuteOf = (time: string | null): string => time?.slice(0, 16) ?? ''
