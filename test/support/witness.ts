// A witness of the public log on this machine (C2SP tlog-witness), honest until the test says otherwise.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js'
import { openCheckpoint, type SignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { cosignedMessage } from '../../shared/log/cosignature.ts'
import { readHashLines, writeNote, writeSignatureLines } from '../../shared/log/signed_note.ts'
import { verifyConsistency } from '../../shared/log/tree_proofs.ts'
import {
  SIGNATURE_TYPES,
  type VerifierKey,
  verifierKey,
  writeVerifierKey,
} from '../../shared/log/verifier_key.ts'
import { bytesEqual, concatBytes, toHex, u64, utf8 } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { freePort } from './free_port.ts'

/** Answers instead of the honest witness. */
export type Misbehave = (response: ServerResponse, request: IncomingMessage, honest: () => void) => void

export interface TestWitness {
  readonly key: VerifierKey
  /** Such as `witness W1 <vkey> http://127.0.0.1:4321/w`. */
  readonly policyLine: (name: string) => string
  /** The size of each add-checkpoint and the old size that came with it, and `monitor` for a look at what it has seen. */
  readonly heard: ({ readonly old: number; readonly size: number } | 'monitor')[]
  /** The last checkpoint that it cosigned. */
  readonly seen: () => SignedCheckpoint | undefined
  /** Its memory is as the test says, such as after a disk was lost. */
  readonly remember: (note: Uint8Array | undefined) => void
  /** From now on. Undefined: honest again. */
  readonly behave: (how: Misbehave | undefined) => void
  /** It can no longer be reached, until `back`. */
  readonly close: () => Promise<void>
  readonly back: () => Promise<void>
}

export interface TestWitnessOptions {
  readonly name?: string
  readonly type?: 'ed25519' | 'ml-dsa-44'
  /** The key of the log that it knows. It may become known later. */
  readonly logKey: () => VerifierKey
}

/** Seconds since 1970 that it signs. */
const WITNESS_TIME = 1_800_000_000

export async function openWitness({
  name = 'witness.example/w1',
  type = 'ed25519',
  logKey,
}: TestWitnessOptions): Promise<TestWitness> {
  const signer = type === 'ed25519' ? ed25519Signer(name) : mlDsaSigner(name)
  const heard: TestWitness['heard'][number][] = []
  let seen: SignedCheckpoint | undefined
  let how: Misbehave | undefined
  const address = `/${toHex(sha256(utf8(name))).slice(0, 8)}`

  const cosign = ({ note }: SignedCheckpoint) => ({
    name,
    id: signer.key.id,
    signature: concatBytes(
      u64(WITNESS_TIME),
      signer.sign(cosignedMessage(signer.key, note.text, WITNESS_TIME)),
    ),
  })
  /** In the order of the protocol. */
  const refusalOf = (
    oldSize: number,
    found: SignedCheckpoint,
    lines: readonly string[],
  ): { status: number; told?: string } | undefined => {
    const known = seen?.size ?? 0
    if (!Number.isSafeInteger(oldSize) || oldSize > found.size) return { status: 400 }
    if (oldSize !== known) return { status: 409, told: `${known}\n` }
    if (oldSize === found.size && seen !== undefined && !bytesEqual(seen.root, found.root))
      return { status: 409 }
    const oldRoot = seen?.root ?? sha256(new Uint8Array())
    const isConsistent = verifyConsistency({
      ...{ oldSize, oldRoot, newSize: found.size, newRoot: found.root },
      proof: readHashLines(lines),
    })
    return isConsistent ? undefined : { status: 422 }
  }
  const add = (body: string, response: ServerResponse): void => {
    const split = body.indexOf('\n\n')
    const [oldLine = '', ...lines] = body.slice(0, split).split('\n')
    const oldSize = Number(/^old (0|[1-9]\d*)$/.exec(oldLine)?.[1])
    const found = openCheckpoint(utf8(body.slice(split + 2)), logKey())
    heard.push({ old: oldSize, size: found.size })
    const refusal = refusalOf(oldSize, found, lines)
    if (refusal !== undefined) {
      const headers = refusal.told === undefined ? {} : { 'Content-Type': 'text/x.tlog.size' }
      response.writeHead(refusal.status, headers).end(refusal.told)
      return
    }
    seen = found
    response.end(writeSignatureLines([cosign(found)]))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const honest = (): void => {
      const origin = toHex(sha256(utf8(logKey().name)))
      const isLook = request.url === `${address}/${origin}/checkpoint`
      if (isLook) heard.push('monitor')
      if (request.url === `${address}/add-checkpoint` && request.method === 'POST') add(body, response)
      else if (!isLook || seen === undefined) response.writeHead(404).end()
      else
        response.end(writeNote({ text: seen.note.text, signatures: [...seen.note.signatures, cosign(seen)] }))
    }
    if (how === undefined) honest()
    else how(response, request, honest)
  }
  const server = createServer((request, response) => {
    // A round that is over closes its connections.
    answer(request, response).catch(() => response.destroy())
  })
  const port = await freePort()
  const listen = async (): Promise<void> => {
    await new Promise<void>((listening) => void server.listen(port, '127.0.0.1', listening))
  }
  await listen()
  return {
    key: signer.key,
    policyLine: (alias) =>
      `witness ${alias} ${writeVerifierKey(signer.key)} http://127.0.0.1:${port}${address}\n`,
    heard,
    seen: () => seen,
    remember: (note) => {
      seen = note === undefined ? undefined : openCheckpoint(note, logKey())
    },
    behave: (next) => {
      how = next
    },
    close: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((closed) => server.close(closed))
    },
    back: listen,
  }
}

interface Cosigner {
  readonly key: VerifierKey
  readonly sign: (message: Uint8Array) => Uint8Array
}

function ed25519Signer(name: string): Cosigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    key: verifierKey(name, SIGNATURE_TYPES.ed25519Cosignature, raw),
    sign: (message) => sign(null, message, privateKey),
  }
}

function mlDsaSigner(name: string): Cosigner {
  const { publicKey, secretKey } = ml_dsa44.keygen()
  return {
    key: verifierKey(name, SIGNATURE_TYPES.mlDsa44Cosignature, publicKey),
    sign: (message) => ml_dsa44.sign(message, secretKey),
  }
}
