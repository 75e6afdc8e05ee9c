// One changed bit anywhere in a bundle is noticed, but for the places that are listed; the two largest have a file of their own.
import { expect, it } from 'vitest'
import { toBase64 } from '../../shared/proof/bytes.ts'
import { sizeOf } from '../support/sizes.ts'
import { undetectedFlips } from './bit_flips.ts'
import { knownForms, layouts } from './known_bundles.ts'
import { unlisted } from './unprotected_places.ts'
import { vectors } from './vectors.ts'

const LARGEST = ['item', 'item_block_path', 'entropy_nist']

const pairs = Object.keys(vectors.bundles).flatMap((bundle) =>
  layouts
    .filter((layout) => layout === 'compact' || !LARGEST.includes(bundle))
    .map((layout) => ({
      name: `${bundle}, ${layout}`,
      forms: knownForms.filter((form) => form.bundle === bundle && form.layout === layout),
    })),
)

/** Two bundles that differ in their witnesses only have the same compact form. */
const different = [
  ...new Map(pairs.map((pair) => [pair.forms.map(({ bytes }) => toBase64(bytes)).join(), pair])).values(),
]

it.each(different)('no byte of $name can be changed unnoticed', { timeout: 300_000 }, async ({ forms }) => {
  expect(unlisted(await undetectedFlips(forms, sizeOf('flipped_bits')))).toEqual([])
})
