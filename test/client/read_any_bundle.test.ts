// Reading what people drop or name: work in proportion to its size, whatever it is.
import { expect, it } from 'vitest'
import { BundleRejected } from '../../shared/proof/bundle/bundle_parts.ts'
import { LARGEST_BUNDLE_BYTES, readAnyBundle } from '../../shared/verifier/read_any_bundle.ts'

it.each([
  ['padding', `${'='.repeat(LARGEST_BUNDLE_BYTES - 1)}x`],
  ['padding after text', `YWJj${'='.repeat(LARGEST_BUNDLE_BYTES - 4)}`],
  ['blanks', `x${' '.repeat(LARGEST_BUNDLE_BYTES - 2)}x`],
  ['results in results', '{"result":'.repeat(LARGEST_BUNDLE_BYTES / 10)],
])('the largest file, full of %s, is refused and not pondered over', (_, text) => {
  expect(() => readAnyBundle(text)).toThrow(BundleRejected)
})
