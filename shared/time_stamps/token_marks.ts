// What can be told of a time stamp (RFC 3161) without reading it: how it begins, how large it may be, and what its serial
// number says.

/** A token or a response: DER of a SEQUENCE whose length takes more than a byte. No text begins so. */
export const beginsAsTimeStamp = ([tag = 0, length = 0]: Uint8Array): boolean => tag === 0x30 && length > 0x80

/** Ten times what the largest public authorities send. */
export const LARGEST_TIME_STAMP_BYTES = 131_072

/** Where a token stands: the number of its round, and then so many bits of its place in it. */
const INDEX_BITS = 20n

/** @param round a whole number @param index of an entry of its tree, below 2^20 */
export const tokenSerial = (round: number, index: number): bigint =>
  (BigInt(round) << INDEX_BITS) | BigInt(index)

/** The number of the round, and the place in it. */
export const placeOfSerial = (serial: bigint): { readonly round: number; readonly index: number } => ({
  round: Number(serial >> INDEX_BITS),
  index: Number(serial & ((1n << INDEX_BITS) - 1n)),
})
