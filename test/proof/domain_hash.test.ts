// Domain bytes: frozen, and each kind of thing under its own.
import { describe, expect, it } from 'vitest'
import { fromHex, toHex, utf8 } from '../../shared/proof/bytes.ts'
import { DOMAIN_BYTES, domainHash, sha256 } from '../../shared/proof/domain_hash.ts'
import { vectors } from './vectors.ts'

describe('domain hash', () => {
  it.each(vectors.domains.digests)('known answer under $prefix ($name)', ({ prefix, hex }) => {
    const byte = Number(prefix)
    const domain = Object.entries(DOMAIN_BYTES).find(([, value]) => value === byte)?.[0]
    expect(domain).toSatisfy((name: string | undefined) => name !== undefined && name in DOMAIN_BYTES)
    for (const name of Object.keys(DOMAIN_BYTES) as (keyof typeof DOMAIN_BYTES)[])
      if (name === domain) expect(toHex(domainHash(name, utf8(vectors.domains.text)))).toBe(hex)
  })

  it('names of the hash utility stand for their own bytes, and no byte has two meanings', () => {
    const known = Object.fromEntries(
      vectors.domains.digests.map(({ name, prefix }) => [name, Number(prefix)]),
    )
    const { leaf, node, public_key, next_public_key, ...named } = DOMAIN_BYTES
    const { merkle_leaf, merkle_node, key_id, prerotation, ...utility } = known
    expect(named).toEqual(utility)
    expect([leaf, node, public_key, next_public_key]).toEqual([merkle_leaf, merkle_node, key_id, prerotation])
    expect(new Set(Object.values(DOMAIN_BYTES)).size).toBe(Object.keys(DOMAIN_BYTES).length)
  })

  it('parts are hashed as if they were one', () => {
    expect(domainHash('item', utf8('ab'), utf8(''), utf8('c'))).toEqual(domainHash('item', utf8('abc')))
    expect(domainHash('node', utf8('x'))).toEqual(sha256(fromHex('0178')))
  })
})
