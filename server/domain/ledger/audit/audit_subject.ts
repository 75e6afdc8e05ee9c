// Checks one subject of any kind, whether it is in a block or waits for one.

import type { Disagreements } from '../../../../shared/audit/disagreement.ts'
import { auditItem, type SubjectContext } from './audit_item.ts'
import { auditObservation } from './audit_observation.ts'
import { auditTombstone } from './audit_tombstone.ts'
import type { AuditCounts } from './pace.ts'
import type { LostRow, SubjectRow } from './subject_rows.ts'

export const COUNTED_AS = {
  item: 'items',
  observation: 'observations',
  tombstone: 'tombstones',
} as const satisfies Record<SubjectRow['kind'], keyof AuditCounts>

export function auditSubject(subject: SubjectRow, context: SubjectContext): Disagreements {
  switch (subject.kind) {
    case 'item':
      return auditItem(subject, context)
    case 'observation':
      return auditObservation(subject, context)
    case 'tombstone':
      return auditTombstone(subject, context.block)
    default:
      return subject satisfies never
  }
}

export const metadataOf = (subjects: readonly (SubjectRow | LostRow)[]): string[] =>
  subjects.flatMap((subject) => (subject.kind === 'item' ? [subject.metadata] : []))
