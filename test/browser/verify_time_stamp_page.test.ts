// The verifier page with time stamps of RFC 3161: by the root of this service, preserved by the evidence of the token, and
// about the file that comes along.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTimeStamp } from '../../shared/time_stamps/read_time_stamp.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { consoleTab } from '../support/console_tab.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { QUERY_TYPE, queryOf, readReply, TRUE } from '../support/time_stamps/query.ts'

const AUTHORITIES = join(import.meta.dirname, '..', 'time_stamps', 'public_authorities')

const app = testApp({ aggregationIntervalMs: 100 })
const { page, picture } = consoleTab(app)

let reply: Buffer
let evidence: string
beforeAll(async () => {
  await app.finalize()
  const query = queryOf({ digest: createHash('sha256').update('a file').digest(), rest: [TRUE] })
  // Its first key may still be in the making.
  reply = await eventually(async () => {
    const { bytes } = await ask(app.port, '/tsa', { body: query, headers: { 'Content-Type': QUERY_TYPE } })
    return readReply(bytes).token === undefined ? undefined : bytes
  })
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  const serial = readTimeStamp(reply).serial.toString(16)
  evidence = (await ask(app.port, `/tsa/evidence/${serial}`)).text
})

const given = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
const give = async (...files: readonly ReturnType<typeof given>[]) => {
  await page().goto('/verify')
  await page().getByTestId('proof-file').setInputFiles(files)
}
const verdictIs = (expected: string) =>
  expect.poll(() => page().getByTestId('verdict').getAttribute('data-verdict')).toBe(expected)
const verdictText = () => page().getByTestId('verdict').innerText()

describe('the verifier page, given a time stamp', () => {
  it('says that it is valid by the root of this service, and compares the file', async () => {
    await give(given('paper.tsr', reply), given('paper.txt', 'a file'))
    await verdictIs('valid')
    await expect.poll(verdictText).toMatch(/paper\.txt existed on .*The file: It is the very one\./s)
    await picture('verify_time_stamp')
    await give(given('paper.txt', 'another file'), given('paper.tsr', reply))
    await verdictIs('not_valid')
    await expect.poll(verdictText).toContain('paper.txt is not the file of this proof.')
  })

  it('says that it is preserved by its evidence, whichever of the two comes first', async () => {
    const files = [
      given('paper.tsr', reply),
      given('paper.tsr.pharos', evidence),
      given('paper.txt', 'a file'),
    ]
    for (const some of [files, files.toReversed()]) {
      await give(...some)
      await verdictIs('preserved')
      await expect.poll(verdictText).toMatch(/whatever becomes of the certificate.*It is the very one\./s)
    }
  })

  it('of another authority says that nothing here shows its time, and where it can be verified', async () => {
    await give(given('identrust.tsr', await readFile(join(AUTHORITIES, 'identrust.tsr'))))
    await verdictIs('unsupported')
    expect(await verdictText()).toMatch(/nothing here shows.*pharos verify FILE\.tsr --ca ROOT\.pem/s)
  })

  it('says why one cannot be read', async () => {
    await give(given('cut.tsr', reply.subarray(0, -1)))
    const problem = page().getByTestId('proof-problem')
    await expect
      .poll(() => problem.innerText())
      .toMatch(/a time stamp that cannot be read: it ends too early/)
  })
})
