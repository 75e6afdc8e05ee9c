// One changed bit anywhere in one of the three largest bundles is noticed, but for the places that are listed.
import { expect, it } from 'vitest'
import { undetectedFlips } from './bit_flips.ts'
import { knownForms } from './known_bundles.ts'
import { unlisted, unused } from './unprotected_places.ts'

const forms = knownForms.filter(({ layout }) => layout === 'published')

it('every bit of item_block_path, and no place is listed that is not needed', {
  timeout: 300_000,
}, async () => {
  const undetected = await undetectedFlips(forms.filter(({ bundle }) => bundle === 'item_block_path'))
  expect(unlisted(undetected)).toEqual([])
  expect(unused(undetected)).toEqual([])
})

it.each(['item', 'entropy_nist'])('every bit of %s', { timeout: 300_000 }, async (name) => {
  const undetected = await undetectedFlips(forms.filter(({ bundle }) => bundle === name))
  expect(unlisted(undetected)).toEqual([])
})
