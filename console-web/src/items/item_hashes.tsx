// The hashes of an item, each recomputed in this browser from the displayed data.

import { useMemo } from 'react'
import { CopyButton } from '../ui/copy_button.tsx'
import { RawJson } from '../ui/fields.tsx'
import { ComputedStep } from '../ui/step.tsx'
import type { Item } from './item.ts'
import { recomputeItem } from './recompute_item.ts'

/** Folded, as long as nothing in it is wrong. */
export const ItemHashes = ({ item }: { item: Item }) => {
  const checks = useMemo(() => recomputeItem(item), [item])
  const isWrong = checks.some(({ computed, ok }) => computed !== null && !ok)
  return (
    <details className="fold" open={isWrong || undefined}>
      <summary>How it was computed</summary>
      <h2 className="section-title">
        Hashes
        <small>recomputed in this browser</small>
      </h2>
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
      <RawJson title="As received" value={item.raw} />
    </details>
  )
}
