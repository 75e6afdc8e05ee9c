// The proof that a public log with one entry has a block, from C2SP tlog-proof, tlog-checkpoint and signed-note alone, with
// nothing of the service's own code.
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

const digest = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const prefixed = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export interface SecondBlock {
  readonly id: string
  readonly previous_block_hash: string
  readonly merkle_root: string
  /** Canonical text. */
  readonly metadata: string
  readonly signing_key_id: string
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

const compositeOf = (block: SecondBlock): Buffer =>
  Buffer.concat([
    Buffer.of(0x32),
    prefixed(Buffer.from(block.id)),
    prefixed(hex(block.previous_block_hash)),
    prefixed(hex(block.merkle_root)),
    prefixed(digest(Buffer.of(0x33), Buffer.from(block.metadata))),
    prefixed(hex(block.signing_key_id)),
  ])

export interface SecondLog {
  readonly origin: string
  readonly key: KeyObject
  /** As an operator prints it: name+id+key. */
  readonly verifierKey: string
}

export function secondLog(origin: string): SecondLog {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const typed = Buffer.concat([Buffer.of(1), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)])
  const id = digest(Buffer.from(`${origin}\n`), typed).subarray(0, 4)
  return {
    origin,
    key: privateKey,
    verifierKey: `${origin}+${id.toString('hex')}+${typed.toString('base64')}`,
  }
}

/** @param seed 32 bytes of the key that signed the block */
export function secondLogProof(log: SecondLog, block: SecondBlock, seed: Uint8Array): string {
  const composite = compositeOf(block)
  const standing = sign(null, digest(composite), keyFrom(seed))
  const entry = Buffer.concat([
    prefixed(composite),
    prefixed(standing),
    prefixed(Buffer.from(block.metadata)),
  ])
  const text = `${log.origin}\n1\n${digest(Buffer.of(0), entry).toString('base64')}\n`
  const id = hex(log.verifierKey.split('+')[1] ?? '')
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), log.key)]).toString('base64')
  const note = `${text}\n— ${log.origin} ${signature}\n`
  return `c2sp.org/tlog-proof@v1\nextra ${standing.toString('base64')}\nindex 0\n\n${note}`
}

const keyFrom = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
