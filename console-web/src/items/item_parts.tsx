// What the page of an item shows of it: its claims member by member, its block with the chains that carry that, its hashes,
// and its other facts.
import './items.css'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { isJsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import type { Commitment } from '../commitments/commitment.ts'
import { CommitmentList } from '../commitments/commitment_list.tsx'
import type { Loaded } from '../data/use_document.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { CodeField, RawJson, TextField, TimeField } from '../ui/fields.tsx'
import { count, dayAndTime } from '../ui/format.ts'
import { Card, Section } from '../ui/section.tsx'
import { Shown, shownText, Tags } from '../ui/shown_text.tsx'
import { ComputedStep } from '../ui/step.tsx'
import type { Item } from './item.ts'
import { recomputeItem } from './recompute_item.ts'

export const ItemClaims = ({ item: { claims, redactedAt } }: { item: Item }) => (
  <Section title="Claims" data-testid="claims">
    {claims === null ? (
      <p className="notice" data-testid="redacted">
        Erased{redactedAt === null ? '' : ` on ${dayAndTime(redactedAt)}`}. Whoever still has the claims can
        show that they are the ones: they make the same claims hash.
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
  return (
    <TextField name={shownText(name)}>
      {typeof value === 'string' ? (
        <Shown text={value} />
      ) : name === 'location' && isJsonObject(value) ? (
        `${String(value.latitude)}, ${String(value.longitude)}`
      ) : (
        <pre className="claim-json">{shownText(JSON.stringify(value, null, 2))}</pre>
      )}
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

/** Each recomputed in this browser from the displayed data. Folded, as long as nothing in it is wrong. */
export const ItemHashes = ({ item }: { item: Item }) => {
  const checks = useMemo(() => recomputeItem(item), [item])
  const isWrong = checks.some(({ computed, ok }) => computed !== null && !ok)
  return (
    <details className="fold" open={isWrong || undefined}>
      <summary>How it was computed</summary>
      <Section title="Hashes" note="recomputed in this browser">
        <ol className="timeline" data-testid="item-hashes">
          {checks.map((check) => (
            <ComputedStep key={check.name} {...check}>
              <p className="field-code">
                <code>{check.expected}</code>
                <CopyButton text={check.expected} what={check.name} />
              </p>
            </ComputedStep>
          ))}
        </ol>
      </Section>
      <RawJson title="As received" value={item.raw} />
    </details>
  )
}

/** @param chain where its block is, if that is known */
export const ItemFacts = ({ item, chain = 'a chain' }: { item: Item; chain?: string | undefined }) => (
  <Card title="About it">
    <dl className="fields stacked">
      <CodeField name="id" value={item.id} />
      <TextField name="visibility">{visibilities.get(item.visibility) ?? item.visibility}</TextField>
      {item.tags.length > 0 && (
        <TextField name="tags">
          <Tags words={item.tags} />
        </TextField>
      )}
      <TimeField name="handed in" time={item.insertedAt} />
      {item.committedAt !== null && <TimeField name="in a block" time={item.committedAt} />}
      {item.proofAvailableAt !== null && <TimeField name={`on ${chain}`} time={item.proofAvailableAt} />}
      {item.redactedAt !== null && <TimeField name="erased" time={item.redactedAt} />}
      {item.expiresAt !== null && <TimeField name="expires" time={item.expiresAt} />}
      <CodeField name="signing key" value={item.keyId} />
    </dl>
  </Card>
)

const visibilities = new Map([
  ['private', 'private: who submitted it, and the owners and admins of a team that keeps its members’ items'],
  ['team', 'team: the members of its team'],
  ['public', 'public: anybody with an account'],
])
