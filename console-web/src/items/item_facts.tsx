// Facts of an item other than its claims: visibility, tags and times.
import { CodeField, TextField, TimeField } from '../ui/fields.tsx'
import { Shown } from '../ui/shown_text.tsx'
import type { Item } from './item.ts'

export const ItemFacts = ({ item }: { item: Item }) => (
  <section className="card" aria-labelledby="item-facts">
    <h2 id="item-facts">About it</h2>
    <dl className="fields stacked">
      <CodeField name="id" value={item.id} />
      <TextField name="visibility">{visibilities.get(item.visibility) ?? item.visibility}</TextField>
      {item.tags.length > 0 && (
        <TextField name="tags">
          <span className="tags">
            {item.tags.map((tag) => (
              <span key={tag}>
                <Shown text={tag} />
              </span>
            ))}
          </span>
        </TextField>
      )}
      <TimeField name="submitted" time={item.insertedAt} />
      {item.committedAt !== null && <TimeField name="in block" time={item.committedAt} />}
      {item.proofAvailableAt !== null && <TimeField name="provable" time={item.proofAvailableAt} />}
      {item.redactedAt !== null && <TimeField name="redacted" time={item.redactedAt} />}
      {item.expiresAt !== null && <TimeField name="expires" time={item.expiresAt} />}
      <CodeField name="signing key" value={item.keyId} />
    </dl>
  </section>
)

const visibilities = new Map([
  ['private', 'private: only whoever submitted it'],
  ['team', 'team: the members of its team'],
  ['public', 'public: anybody with an account'],
])
