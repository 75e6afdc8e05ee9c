// The newest closed ledger of the Stellar network, from Horizon.
import {
  countMember,
  HASH,
  instantMember,
  objectMember,
  objectOf,
  onlyElement,
  textMember,
} from '../../../outgoing/strict_answer.ts'
import type { Source } from '../source.ts'

/**
 * Payload: `{"closed_at": "2027-01-01T00:00:21Z", "hash": "ee08…b7dd", "sequence": 60000001}`. Other members
 * (cursors, counts, links) may differ between Horizon servers and are left out.
 */
export const stellar: Source = {
  name: 'entropy_stellar',
  byDefault: 'https://horizon.stellar.org',
  meaning:
    'Horizon whose newest ledger is recorded; of the network that epochs are committed to, or the public one',
  read: async (ask) => {
    const answer = objectOf(await ask('/ledgers?order=desc&limit=1'))
    const ledger = onlyElement(objectMember(answer, '_embedded'), 'records')
    const { text, at: publishedAt } = instantMember(ledger, 'closed_at')
    return {
      payload: {
        closed_at: text,
        hash: textMember(ledger, 'hash', HASH),
        sequence: countMember(ledger, 'sequence'),
      },
      publishedAt,
    }
  },
}
