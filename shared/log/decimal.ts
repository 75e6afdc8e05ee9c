// A tree size or an index as text: decimal digits without leading zeros.

/**
 * At most 2^53 - 1, so that it stays exact.
 * @throws RangeError on any other text
 */
export function readDecimal(text: string): number {
  if (!DECIMAL.test(text) || !Number.isSafeInteger(Number(text)))
    throw new RangeError('not a decimal number without leading zeros below 2^53')
  return Number(text)
}

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/
