// What the page of an item shows of it: its claims member by member, its block with the chains that carry that, and its other
// facts.
import './items.css'
import { Link } from 'wouter'
import { isJsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import type { Commitment } from '../commitments/commitment.ts'
import { CommitmentList } from '../commitments/commitment_list.tsx'
import type { Loaded } from '../data/use_document.ts'
import { CodeField, TextField, TimeField } from '../ui/fields.tsx'
import { count, utc } from '../ui/format.ts'
import { Card, Section } from '../ui/section.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { Item } from './item.ts'

export const ItemClaims = ({ item: { claims, redactedAt } }: { item: Item }) => (
  <Section title="Claims" data-testid="claims">
    {claims === null ? (
      <p className="notice" data-testid="redacted">
        Erased{redactedAt === null ? '' : ` on ${utc(redactedAt)} UTC`}. Whoever still has the claims can show
        that they are the ones: they make the same claims hash.
      </p>
    ) : (
      <dl className="fields box">
        {Object.entries(claims).map(([name, value]) => (
          <Claim key={name} name={name} value={value} />
        ))}
      </dl>
    )}
  </Section>
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

type ItemBlockProps = {
  readonly id: string
  readonly blockId: string
  readonly carried: Loaded<{
    readonly block: { readonly height: number }
    readonly commitments: readonly Commitment[]
  }>
}

export const ItemBlock = ({ id, blockId, carried }: ItemBlockProps) => {
  const height = carried.kind === 'found' ? carried.value.block.height : null
  return (
    <Section title="Block">
      <p className="block-line">
        <Link to={`/blocks/${blockId}?leaf=${id}`} data-testid="block-link">
          {height === null ? blockId : `Block ${count(height)}, and its place there`}
        </Link>
      </p>
      {carried.kind === 'found' && <CommitmentList commitments={carried.value.commitments} />}
      {carried.kind === 'failed' && <p className="problem">{carried.why}</p>}
    </Section>
  )
}

export const ItemFacts = ({ item }: { item: Item }) => (
  <Card title="About it">
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
      <TimeField name="handed in" time={item.insertedAt} />
      {item.committedAt !== null && <TimeField name="in block" time={item.committedAt} />}
      {item.proofAvailableAt !== null && <TimeField name="proof ready" time={item.proofAvailableAt} />}
      {item.redactedAt !== null && <TimeField name="erased" time={item.redactedAt} />}
      {item.expiresAt !== null && <TimeField name="expires" time={item.expiresAt} />}
      <CodeField name="signing key" value={item.keyId} />
    </dl>
  </Card>
)

const visibilities = new Map([
  ['private', 'private: only whoever submitted it'],
  ['team', 'team: the members of its team'],
  ['public', 'public: anybody with an account'],
])
