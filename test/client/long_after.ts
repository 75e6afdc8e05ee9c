// What becomes of time-stamp tokens when their certificates have ended: the built command line says it offline, from what was
// kept beside them.
import { readTimeStamp } from '../../shared/time_stamps/read_time_stamp.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import type { TestApp } from '../support/app.ts'
import { ask } from '../support/http.ts'
import { openDesk, type Ran } from './run_pharos.ts'

/** The environment of a program of Node that runs twenty years from now, when every leaf of today has ended. */
export const LONG_AFTER = (() => {
  const ahead = 20 * 365 * 86_400_000
  const clock = `const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + ${ahead}) }
      static now() { return Real.now() + ${ahead} }
    }`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(clock)}` }
})()

/** What `pharos verify` says then of each. Their block is committed, and their evidence fetched, before. */
export async function verifiedLongAfter(app: TestApp, tokens: readonly Uint8Array[]): Promise<Ran[]> {
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  const desk = await openDesk()
  try {
    const { text: chain } = await ask(app.port, '/tsa/certificates')
    await desk.put('root.pem', chain.slice(chain.lastIndexOf('-----BEGIN')))
    await desk.put('keyring.json', (await ask(app.port, '/.well-known/keyring.json')).bytes)
    const said: Ran[] = []
    for (const [nth, token] of tokens.entries()) {
      const name = await desk.put(`${nth}.tst`, token)
      const { bytes } = await ask(app.port, `/tsa/evidence/${readTimeStamp(token).serial.toString(16)}`)
      await desk.put(`${name}.pharos`, bytes)
      const words = ['verify', name, '--offline', '--ca', 'root.pem', '--keyring', 'keyring.json']
      said.push(await desk.pharos(words, { env: LONG_AFTER }))
    }
    return said
  } finally {
    await desk.clear()
  }
}
