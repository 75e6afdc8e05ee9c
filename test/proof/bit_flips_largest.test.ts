// One changed bit anywhere in one of the three largest bundles is noticed, but for the places that are listed.
import { expect, it } from 'vitest'
import { isFull, sizeOf } from '../support/sizes.ts'
import { undetectedFlips } from './bit_flips.ts'
import { knownForms } from './known_bundles.ts'
import { unlisted, unused } from './unprotected_places.ts'

const forms = knownForms.filter(({ layout }) => layout === 'published')

it.each(['item_block_path', 'item', 'entropy_nist'])(
  'no byte of %s can be changed unnoticed',
  {
    timeout: 300_000,
  },
  async (name) => {
    const undetected = await undetectedFlips(
      forms.filter(({ bundle }) => bundle === name),
      sizeOf('flipped_bits'),
    )
    expect(unlisted(undetected)).toEqual([])
  },
)

// Some places show themselves by one of their bits only.
it.runIf(isFull)('no place is listed that is not needed', { timeout: 300_000 }, async () => {
  const undetected = await undetectedFlips(
    forms.filter(({ bundle }) => bundle === 'item_block_path'),
    8,
  )
  expect(unused(undetected)).toEqual([])
})
