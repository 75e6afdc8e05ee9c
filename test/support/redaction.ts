// Redacts and restores items, as their owner.
import type { EntityManager } from '@mikro-orm/postgresql'
import { updateItem } from '../../server/domain/ledger/change_item.ts'
import type { SubmittedClaims } from '../../server/domain/ledger/claims.ts'

interface Which {
  readonly id: string
  readonly userId: string
}

export const redactItem = (ledger: { em: EntityManager }, which: Which) =>
  updateItem(ledger, which, { redacted: true })

export const unredactItem = (
  ledger: { em: EntityManager },
  { claims, ...which }: Which & { readonly claims: SubmittedClaims },
) => updateItem(ledger, which, { redacted: false, claims })
