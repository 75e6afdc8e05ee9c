// The serial number of a token says where it stands: the number of its round, and then 20 bits of its place in it.

const INDEX_BITS = 20n

/** @param round a whole number @param index of an entry of its tree, below 2^20 */
export const tokenSerial = (round: number, index: number): bigint =>
  (BigInt(round) << INDEX_BITS) | BigInt(index)

/** The number of the round, and the place in it. */
export const placeOfSerial = (serial: bigint): { readonly round: number; readonly index: number } => ({
  round: Number(serial >> INDEX_BITS),
  index: Number(serial & ((1n << INDEX_BITS) - 1n)),
})
