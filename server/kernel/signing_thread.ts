// The thread that signs for `sign_beside.ts`. It keeps nothing between two requests.
import { type KeyObject, sign } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { DIGEST_BYTES, SIGNATURE_BYTES, type SigningAnswer, type SigningRequest } from './sign_beside.ts'

parentPort?.on('message', ({ number, key, digests }: SigningRequest) => {
  const answer: SigningAnswer = { number, made: attempt(key, digests) }
  parentPort?.postMessage(answer)
})

function attempt(key: KeyObject, digests: Uint8Array): Uint8Array | Error {
  try {
    const made = new Uint8Array((digests.length / DIGEST_BYTES) * SIGNATURE_BYTES)
    for (let at = 0; at < digests.length; at += DIGEST_BYTES)
      made.set(
        sign(null, digests.subarray(at, at + DIGEST_BYTES), key),
        (at / DIGEST_BYTES) * SIGNATURE_BYTES,
      )
    return made
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
