// Keyrings: what a document must be, and which keys a report lets pass.
import { describe, expect, it } from 'vitest'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { type NamedKeyring, readKeyring } from '../../shared/proof/verify/keyring.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { knownDocument } from './known_bundles.ts'
import { vectors } from './vectors.ts'

const [first, second] = readKeyring(JSON.stringify(vectors.keyring))
if (first === undefined || second === undefined) throw new Error('two known keys')

describe('a keyring document', () => {
  it('gives every key, from text, bytes and value', () => {
    const text = JSON.stringify(vectors.keyring)
    const keys = vectors.keyring.keys.map(({ key_id, public_key }) => ({ key_id, public_key }))
    expect(readKeyring(text)).toEqual(keys)
    expect(readKeyring(new TextEncoder().encode(text))).toEqual(keys)
    expect(readKeyring(JSON.parse(text))).toEqual(keys)
    expect(readKeyring('{"keys":[],"version":"1.0","more":1}')).toEqual([])
  })

  const document = (...keys: unknown[]) => JSON.stringify({ version: '1.0', keys })
  it.each([
    ['no JSON', 'x', 'not JSON'],
    ['a member twice', '{"version":"1.0","version":"1.0","keys":[]}', 'duplicate'],
    ['a list', '[]', 'JSON object'],
    ['another version', '{"version":"2.0","keys":[]}', 'version'],
    ['a number as version', '{"version":1,"keys":[]}', 'version'],
    ['no keys', '{"version":"1.0"}', 'not a list'],
    ['a key that is no object', document('x'), 'keys[0]'],
    ['a key of other bytes', document(first, { ...second, public_key: 'AAAA' }), 'public_key of keys[1]'],
    ['an id of another key', document({ ...first, key_id: second.key_id }), 'key_id of keys[0]'],
    ['an uppercase id', document({ ...first, key_id: first.key_id.toUpperCase() }), 'key_id of keys[0]'],
    ['a key twice', document(first, first), 'share a key_id'],
  ])('is refused with %s', (_, text, why) => {
    expect(() => readKeyring(text)).toThrow(why)
  })
})

describe('key binding', () => {
  const binding = async (...keyrings: NamedKeyring[]) => {
    const report = await verifyBundle(readBundleObject(knownDocument('item')), { keyrings })
    return report.steps.find(({ group }) => group === 'Key Binding')
  }

  it('passes for a key of our own or of a trusted keyring, naming it', async () => {
    const own = { name: 'ours', own: true, keys: [first] } as const
    const trusted = { name: 'https://elsewhere.example/keyring.json', keys: [first, second] }
    expect(await binding(own)).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('this service'),
    })
    expect(await binding(trusted)).toMatchObject({
      status: 'pass',
      message: expect.stringContaining(trusted.name),
    })
    expect(await binding(trusted, own)).toMatchObject({ message: expect.stringContaining('this service') })
  })

  it('fails for the same id with another key', async () => {
    const forged = { name: 'forged', keys: [{ key_id: first.key_id, public_key: second.public_key }] }
    const row = await binding(forged)
    expect(row).toMatchObject({ status: 'fail', message: expect.stringContaining('another public key') })
  })

  it('fails for an unknown key, naming the keyring that could not be loaded', async () => {
    expect(await binding()).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('not known here'),
    })
    const row = await binding(
      { name: 'lost.json', keys: [], unloaded: true },
      { name: 'other', keys: [second] },
    )
    expect(row).toMatchObject({ status: 'fail', message: expect.stringContaining('lost.json') })
    expect(row?.message).not.toContain('other,')
  })
})
