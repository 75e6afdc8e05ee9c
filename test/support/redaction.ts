// Redacts and restores items, as their owner.
import type { EntityManager } from '@mikro-orm/postgresql'
import { updateItem } from '../../server/domain/ledger/change_item.ts'
import type { SubmittedClaims } from '../../server/domain/ledger/claims.ts'

interface Which {
  readonly id: string
  readonly userId: string
}

export const redactItem = (em: EntityManager, which: Which) => updateItem(em, which, { redacted: true })

export const unredactItem = (
  em: EntityManager,
  { claims, ...which }: Which & { readonly claims: SubmittedClaims },
) => updateItem(em, which, { redacted: false, claims })
