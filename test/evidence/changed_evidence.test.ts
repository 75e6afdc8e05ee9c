// An evidence file that was cut anywhere, or in which any byte was changed, says what it said or nothing.
import { expect, it } from 'vitest'
import {
  type EvidenceFile,
  EvidenceRejected,
  readEvidenceFile,
  writeEvidence,
} from '../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../shared/evidence/trust.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { toHex, utf8 } from '../../shared/proof/bytes.ts'
import { verifySignature } from '../../shared/proof/ed25519.ts'
import { changesBetween, type Undetected } from '../proof/bit_flips.ts'
import { knownKeyring } from '../proof/known_bundles.ts'
import { unlisted } from '../proof/unprotected_places.ts'
import { sizeOf } from '../support/sizes.ts'
import { knownEvidence, treeReceipt } from './known_evidence.ts'

const TRUST: EvidenceTrust = { keyrings: [knownKeyring] }

it.each([
  ['a receipt', treeReceipt, 'not_yet', 8],
  // The bundle of it has tests of its own bits.
  ['evidence with a bundle', knownEvidence, 'valid', sizeOf('flipped_bits')],
] as const)(
  '%s: cut at any byte, or with any byte changed, it never says anything else, and never throws',
  {
    timeout: 300_000,
  },
  async (_, made, whole, ofEachByte) => {
    const bytes = utf8(writeEvidence(made()))
    const honest = readEvidenceFile(bytes)
    const trust = await trustInGenuine(honest)
    expect((await verifyEvidence(honest, trust)).verdict).toBe(whole)
    let noticed = 0
    for (const [at, broken] of brokenFrom(bytes, ofEachByte)) {
      const read = readOrNothing(broken)
      const verdict = read && (await verifyEvidence(read, trust)).verdict
      if (verdict === 'not_valid' || verdict === 'key_open') noticed += 1
      if (read === undefined || (verdict !== 'valid' && verdict !== 'not_yet')) continue
      expect([at, changesBetween(statedIn(honest), statedIn(read))]).toEqual([at, []])
      if (verdict === 'valid') expect([at, unlisted([bundleChanges(at, honest, read)])]).toEqual([at, []])
    }
    expect(noticed).toBeGreaterThan(bytes.length / 2)
  },
)

/** @param ofEachByte 8 changes every bit; with fewer it is another bit from byte to byte */
function* brokenFrom(bytes: Uint8Array, ofEachByte: number): Generator<[at: string, broken: Uint8Array]> {
  for (const [at, byte] of bytes.entries()) {
    yield [`cut at ${at}`, bytes.subarray(0, at)]
    for (let bit = 0; bit < 8; bit += 1) {
      if ((bit + at) % 8 >= ofEachByte) continue
      const broken = bytes.slice()
      broken[at] = byte ^ (1 << bit)
      yield [`bit ${bit} of byte ${at}`, broken]
    }
  }
}

/** That Ed25519 notices each changed bit is tested where it lives: here only what it has accepted is accepted. */
async function trustInGenuine(honest: EvidenceFile): Promise<EvidenceTrust> {
  const genuine = new Set<string>()
  const named = (parts: Parameters<typeof verifySignature>): string => parts.map(toHex).join()
  const learn: typeof verifySignature = (...parts) => {
    const isGenuine = verifySignature(...parts)
    if (isGenuine) genuine.add(named(parts))
    return isGenuine
  }
  await verifyEvidence(honest, { ...TRUST, verifySignature: learn })
  return { ...TRUST, verifySignature: (...parts) => genuine.has(named(parts)) }
}

/** Without the name of the file and the address of the service, which are hints. */
const statedIn = ({ digest, trees, item: { service: _, ...item } }: EvidenceFile) => ({
  digest,
  trees,
  item,
})
const bundleChanges = (at: string, honest: EvidenceFile, read: EvidenceFile): Undetected => ({
  format: 'json',
  bit: Number(/^bit (\d)/.exec(at)?.[1]),
  changes: changesBetween(readBundleObject(honest.bundle ?? {}), readBundleObject(read.bundle ?? {})),
})
const readOrNothing = (bytes: Uint8Array) => {
  try {
    return readEvidenceFile(bytes)
  } catch (error) {
    if (error instanceof EvidenceRejected) return undefined
    throw error
  }
}
