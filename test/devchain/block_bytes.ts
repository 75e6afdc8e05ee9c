// A second reader of Bitcoin's bytes, written apart from the service's own: the two must agree.
import { createHash, createPublicKey, verify } from 'node:crypto'

export interface ReadInput {
  /** Transaction and output it spends, `<64 hex, display order>:<n>`. */
  readonly spends: string
  readonly outpoint: Buffer
  readonly script: Buffer
  readonly sequence: Buffer
  witness: Buffer[]
}

export interface ReadOutput {
  readonly amount: number
  readonly script: Buffer
}

export interface ReadTransaction {
  readonly txid: string
  /** Internal order, over the witnesses too. */
  readonly witnessHash: Buffer
  readonly version: Buffer
  readonly inputs: readonly ReadInput[]
  readonly outputs: readonly ReadOutput[]
  readonly lockTime: Buffer
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
export const hash256 = (bytes: Uint8Array): Buffer => sha256(sha256(bytes))
const hash160 = (bytes: Uint8Array): Buffer => createHash('ripemd160').update(sha256(bytes)).digest()
export const display = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex')

export function readBytes(raw: Buffer): ReadTransaction {
  let at = 0
  const take = (count: number): Buffer => {
    at += count
    return raw.subarray(at - count, at)
  }
  const size = (): number => {
    const first = take(1)[0] ?? 0
    return first < 0xfd ? first : first === 0xfd ? take(2).readUInt16LE() : take(4).readUInt32LE()
  }
  const version = take(4)
  const segwit = raw[4] === 0
  if (segwit) take(2)
  const bodyFrom = at
  const inputs = Array.from({ length: size() }, (): ReadInput => {
    const outpoint = take(36)
    const spends = `${display(outpoint.subarray(0, 32))}:${outpoint.readUInt32LE(32)}`
    return { outpoint, spends, script: take(size()), sequence: take(4), witness: [] }
  })
  const outputs = Array.from({ length: size() }, () => ({
    amount: Number(take(8).readBigUInt64LE()),
    script: take(size()),
  }))
  const body = raw.subarray(bodyFrom, at)
  if (segwit) for (const input of inputs) input.witness = Array.from({ length: size() }, () => take(size()))
  const lockTime = take(4)
  if (at !== raw.length) throw new Error('There are bytes after the transaction.')
  const txid = display(hash256(Buffer.concat([version, body, lockTime])))
  return { txid, witnessHash: hash256(raw), version, inputs, outputs, lockTime }
}

export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const pairs = Array.from({ length: Math.ceil(leaves.length / 2) }, (_, i) => {
    const left = leaves[2 * i] ?? Buffer.alloc(0)
    return hash256(Buffer.concat([left, leaves[2 * i + 1] ?? left]))
  })
  return merkleRoot(pairs)
}

/** OpenSSL's word on a P2WPKH input, over a message put together here (BIP143). */
export function isSigned(transaction: ReadTransaction, at: number, coin: ReadOutput): boolean {
  const input = transaction.inputs[at]
  const [signature, key] = input?.witness ?? []
  if (input === undefined || signature === undefined || key === undefined) return false
  if (!hash160(key).equals(coin.script.subarray(2))) return false
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(BigInt(coin.amount))
  const outputs = transaction.outputs.map((output) => {
    const value = Buffer.alloc(8)
    value.writeBigUInt64LE(BigInt(output.amount))
    return Buffer.concat([value, Buffer.of(output.script.length), output.script])
  })
  const message = Buffer.concat([
    transaction.version,
    hash256(Buffer.concat(transaction.inputs.map(({ outpoint }) => outpoint))),
    hash256(Buffer.concat(transaction.inputs.map(({ sequence }) => sequence))),
    input.outpoint,
    Buffer.from(`1976a914${hash160(key).toString('hex')}88ac`, 'hex'),
    amount,
    input.sequence,
    hash256(Buffer.concat(outputs)),
    transaction.lockTime,
    Buffer.from('01000000', 'hex'),
  ])
  // The wrapping of a compressed secp256k1 key as OpenSSL reads it.
  const spki = Buffer.concat([Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex'), key])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return signature.at(-1) === 1 && verify('sha256', sha256(message), publicKey, signature.subarray(0, -1))
}
