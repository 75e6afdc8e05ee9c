// The tip of Bitcoin's main chain, from an Esplora API.
import { AnswerWrong, countMember, HASH, objectOf, textMember } from '../../../outgoing/strict_answer.ts'
import type { Source } from '../source.ts'

/**
 * Payload: `{"hash": "0000…50ea", "height": 980000, "time": 1798761300}`. Reads the tip's hash first, then the block
 * with that hash. The second request is the same one that verifiers send later, and a new tip between the requests
 * does no harm.
 */
export const bitcoin: Source = {
  name: 'entropy_bitcoin',
  byDefault: 'https://blockstream.info/api',
  meaning: 'Esplora API whose newest mainnet block is recorded',
  read: async (ask) => {
    const hash = (await ask('/blocks/tip/hash')).toString('latin1').trim()
    if (!HASH.test(hash)) throw new AnswerWrong('the hash of the tip is not 64 hex characters')
    const block = objectOf(await ask(`/block/${hash}`))
    if (textMember(block, 'id', HASH) !== hash)
      throw new AnswerWrong('the block is not the one that was asked for')
    const time = countMember(block, 'timestamp')
    return {
      payload: { hash, height: countMember(block, 'height'), time },
      publishedAt: new Date(time * 1_000),
    }
  },
}
