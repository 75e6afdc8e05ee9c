// The claims of an item, member by member.
import { isJsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import { CodeField, TextField } from '../ui/fields.tsx'
import { utc } from '../ui/format_time.ts'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { Item } from './item.ts'

export const ItemClaims = ({ item: { claims, redactedAt } }: { item: Item }) => (
  <section aria-labelledby="claims" data-testid="claims">
    <h2 id="claims" className="section-title">
      Claims
    </h2>
    {claims === null ? (
      <p className="notice" data-testid="redacted">
        Erased{redactedAt === null ? '' : ` on ${utc(redactedAt)} UTC`}. Whoever still has the claims can show
        that they are the ones: they make the same claims hash.
      </p>
    ) : (
      <dl className="fields">
        {Object.entries(claims).map(([name, value]) => (
          <Claim key={name} name={name} value={value} />
        ))}
      </dl>
    )}
  </section>
)

const Claim = ({ name, value }: { name: string; value: JsonValue }) => {
  if (name === 'hash' && typeof value === 'string') return <CodeField name={name} value={value} />
  if (typeof value === 'string')
    return (
      <TextField name={shownText(name)}>
        <Shown text={value} />
      </TextField>
    )
  if (name === 'location' && isJsonObject(value))
    return <TextField name={name}>{`${String(value.latitude)}, ${String(value.longitude)}`}</TextField>
  return (
    <TextField name={shownText(name)}>
      <pre className="claim-json">{shownText(JSON.stringify(value, null, 2))}</pre>
    </TextField>
  )
}
