// Reads the files that an operator brings: the certificate for time stamps with its chain and its key, and the policy
// that says which witnesses are asked to cosign the public log, and how many must have.
import { createPrivateKey } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { POLICY_CEILINGS } from '../../shared/log/log_policy.ts'
import { logKeyInUse } from '../domain/log/log_rows.ts'
import { readWitnessing, type Witnessing } from '../domain/log/witnesses.ts'
import { type StampingCertificate, stampingCertificate } from '../domain/time_stamps/stamping_certificate.ts'
import { readSmall } from '../kernel/read_small.ts'

/** @throws an Error that says what is wrong with the file */
export async function readWitnessPolicy(em: EntityManager, file: string): Promise<Witnessing> {
  try {
    const key = await logKeyInUse(em)
    if (key === undefined) throw new Error('the public log has no key yet')
    return readWitnessing(await readSmall(file, POLICY_CEILINGS.bytes), key.verifier)
  } catch (error) {
    throw unusable(`WITNESS_POLICY (${file})`, error)
  }
}

/** Certificates of a chain. */
const MOST_CERTIFICATES = 8

/** Of either file. */
const MOST_BYTES = 65_536

/**
 * Undefined when there is none.
 * @throws an Error that says in one sentence what is wrong
 */
export async function readBroughtCertificate(
  { certificate, key }: { readonly certificate?: string | undefined; readonly key?: string | undefined },
  nowMs: number = Date.now(),
): Promise<StampingCertificate | undefined> {
  if (certificate === undefined || key === undefined) return undefined
  try {
    const chain = certificatesIn(await readSmall(certificate, MOST_BYTES))
    const brought = stampingCertificate(
      chain,
      createPrivateKey(Buffer.from(await readSmall(key, MOST_BYTES))),
    )
    if (nowMs > brought.toMs)
      throw new Error(`it signs nothing since ${new Date(brought.toMs).toISOString()}`)
    if (nowMs < brought.fromMs)
      throw new Error(`it signs nothing before ${new Date(brought.fromMs).toISOString()}`)
    return brought
  } catch (error) {
    throw unusable(`TSA_CERTIFICATE (${certificate}) with TSA_KEY (${key})`, error)
  }
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

function certificatesIn(bytes: Uint8Array): Buffer[] {
  const found = [...Buffer.from(bytes).toString('latin1').matchAll(PEM)]
  if (bytes.length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`)
  if (found.length === 0) throw new Error('there is no certificate in it')
  if (found.length > MOST_CERTIFICATES)
    throw new Error(`a chain has at most ${MOST_CERTIFICATES} certificates`)
  return found.map(([, base64 = '']) => Buffer.from(base64, 'base64'))
}

function unusable(what: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`${what} cannot be used: ${why}.`, { cause })
}
