// What may be changed of an item: who may read it, its tags and its expiry; and its claims, erased after a question that says
// what stays, or given back by whoever kept the very same ones.
import { toHex } from '../../../shared/proof/bytes.ts'
import { jsonHash } from '../../../shared/proof/composites.ts'
import { isJsonObject, type JsonObject } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import type { Api } from '../data/api_client.ts'
import { bodyOf } from '../data/resource.ts'
import { fieldRefusal, useSentForm } from '../data/use_sent_form.ts'
import { Choice } from '../ui/form/choice.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { AreaField, InputField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { Card } from '../ui/section.tsx'
import { nameText, Shown } from '../ui/shown_text.tsx'
import { tagsOf } from './draft.ts'
import { AUDIENCES, type Item } from './item.ts'

type ItemChangesProps = { readonly item: Item }

export const ItemChanges = ({ item }: ItemChangesProps) => (
  <Card title="Change it" className="item-changes" data-testid="item-changes">
    <Settings item={item} />
    {item.state === 'redacted' ? <RestoreClaims item={item} /> : <EraseClaims item={item} />}
  </Card>
)

const UNSURE = 'It is not known whether this was saved. Save it again: the same twice is no harm.'

const Settings = ({ item }: ItemChangesProps) => {
  const saved = {
    visibility: AUDIENCES.find((one) => one === item.visibility) ?? 'private',
    tags: item.tags.join(', '),
    /** For the field of a time, which has no zone. Its times are UTC here. */
    expires_at: item.expiresAt?.slice(0, 16) ?? '',
  }
  const form = useSentForm(saved, UNSURE, ({ visibility, tags, expires_at: typed }) => ({ api }) => {
    const expiry = typed.slice(0, 16)
    const expires_at = expiry === '' ? null : `${expiry}:00.000Z`
    const changed = expiry === saved.expires_at ? {} : { expires_at }
    return changeItem(api, item.id, { visibility, tags: tagsOf({ tags }), ...changed })
  })
  return (
    <SentForm
      form={form}
      caption="Save"
      running="Saving…"
      testId="save-item"
      look="plain"
      outcome={form.isDone && 'Saved.'}
    >
      <Choice
        label="Who may read it"
        options={{ private: 'Only me', team: 'My team', public: 'Everybody' }}
        value={form.values.visibility}
        onChange={(visibility) => form.set({ visibility })}
      />
      <InputField label="Tags" note="Separated by commas." testId="change-tags" {...form.field('tags')} />
      <InputField
        label="Expires (UTC)"
        note="Then the service erases the claims. Empty for never."
        type="datetime-local"
        testId="change-expiry"
        {...form.field('expires_at')}
      />
    </SentForm>
  )
}

const EraseClaims = ({ item }: ItemChangesProps) => (
  <div className="part">
    <h3>Erase its claims</h3>
    <p>The item stays in its block, by its hash. Its name, digest and words are erased.</p>
    <EndButton
      caption="Erase the claims…"
      title="Erase the claims of this item?"
      words={{ no: 'Keep them', yes: 'Erase the claims', running: 'Erasing…' }}
      testId="erase"
      end={({ api }) => changeItem(api, item.id, { redacted: true })}
    >
      <p>
        The service forgets the claims of{' '}
        <strong>
          <Shown text={nameText(item.name ?? item.id)} />
        </strong>{' '}
        for good. It keeps no copy.
      </p>
      <p>
        No new proof can be made without them. Proofs that were downloaded before go on to verify. Whoever
        kept the very same claims can give them back later.
      </p>
    </EndButton>
  </div>
)

const UNSURE_GIVEN = 'It is not known whether they were given back. Try it again: the same twice is no harm.'

const RestoreClaims = ({ item }: ItemChangesProps) => {
  const form = useSentForm({ claims: '' }, UNSURE_GIVEN, (given) => {
    const claims = readGivenClaims(given.claims, item)
    if (typeof claims === 'string') return fieldRefusal('claims', claims)
    return ({ api }) => changeItem(api, item.id, { redacted: false, claims })
  })
  return (
    <SentForm
      form={form}
      className="part"
      caption="Give back"
      running="Checking…"
      testId="restore"
      look="plain"
    >
      <h3>Give its claims back</h3>
      <AreaField
        label="The claims as JSON"
        note="As they were, in any order. A proof that was kept has them."
        {...form.field('claims')}
        testId="given-claims"
        rows={5}
        spellCheck={false}
      />
    </SentForm>
  )
}

/** @throws ApiFailure */
const changeItem = (api: Api, id: string, attributes: JsonObject) =>
  api.patch(`/api/json/items/${encodeURIComponent(id)}`, bodyOf('item', attributes, id))

/** Claims that somebody kept, judged here, so that others are not even sent. Text says why they are not the ones. */
const readGivenClaims = (text: string, { claimsHash }: Pick<Item, 'claimsHash'>): JsonObject | string => {
  try {
    const claims = readStrictJson(text)
    if (!isJsonObject(claims)) return 'Claims are a JSON object, between { and }.'
    const hash = toHex(jsonHash('items_claims', claims))
    if (hash !== claimsHash) return 'These are other claims: they make another claims hash.'
    // Numbers beyond what a browser writes exactly would be changed on the way.
    JSON.stringify(claims)
    return claims
  } catch {
    return 'This is not JSON that can be sent from here.'
  }
}
