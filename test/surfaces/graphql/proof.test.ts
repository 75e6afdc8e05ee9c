// Proofs as GraphQL queries: the same bundle and the same report as over JSON:API, refusals in the response's errors.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readProof } from '../../../server/domain/proofs/verify_proof.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { bundleNamed } from '../../domain/proofs/vector_bundles.ts'
import { AMPLE, openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { claimsOf, itemBody } from '../jsonapi/item_documents.ts'
import { fieldValue } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
let id: string
beforeAll(async () => {
  await commitBlocks({ em: app.store.em() })
  const [genesis] = await app.query<{ id: string }>('SELECT id FROM blocks')
  id = genesis?.id ?? ''
})

const textOf = async (field: string, variables: object = {}, head = ''): Promise<string> => {
  const query = `query ${head} { ${field} }`
  return fieldValue(app.port, app.owner.key, z.string(), query, variables)
}
/** The codes of the response's errors, with the fields each names; the field itself is null then. */
const refused = async (field: string, variables: object = {}, head = ''): Promise<string[]> => {
  const answer = await askGraphql(app.port, app.owner.key, `query ${head} { proof: ${field} }`, { variables })
  expect(graphqlOf(answer).data).toEqual({ proof: null })
  return codesOf(answer)
}
const overJsonApi = async (path: string, data: object) => {
  const answer = await ask(app.port, `/api/json/proof/${path}`, {
    key: app.owner.key,
    body: { json: { data } },
  })
  return z.object({ result: z.unknown() }).parse(answer.json()).result
}
const unsigned = (bundle: unknown) => ({ ...Object(bundle), signature: '', generated_at: '' })

describe('generateProof', () => {
  it('answers the bundle that JSON:API answers, as its JSON text', async () => {
    const bundle: unknown = JSON.parse(await textOf(`generateProof(id: "${id}", type: "beacon")`))
    expect(unsigned(bundle)).toEqual(unsigned(await overJsonApi('generate', { id, type: 'beacon' })))
  })

  it('takes format, witnesses and layout', async () => {
    const cbor: unknown = JSON.parse(
      await textOf(`generateProof(id: "${id}", type: "block", format: "cbor", layout: "compact")`),
    )
    expect(readProof(String(cbor))).toMatchObject({ type: 'block', layout: 'compact' })
    const bare = await textOf(`generateProof(id: "${id}", type: "block", witnesses: [], format: null)`)
    expect(JSON.parse(bare)).not.toHaveProperty('signing_key_event')
  })

  it('tells refusals in its errors, with the codes and places of JSON:API', async () => {
    expect(await refused('generateProof')).toEqual(['required id', 'required type'])
    expect(await refused('generateProof(id: "x", type: "block")')).toEqual(['invalid_argument id'])
    expect(await refused(`generateProof(id: "${id}", type: "block", witnesses: ["moon"])`)).toEqual([
      'invalid_witness witnesses 0',
    ])
    expect(await refused(`generateProof(id: "${id}")`)).toEqual(['required type'])
    for (const type of ['', ', type: null', ', type: "item"'])
      expect(await refused(`generateProof(id: "01MB78W7FGY7TZHKNWE7WA3Z57"${type})`)).toEqual(['not_found'])
    await app.finalize()
    const [head] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    const query = `{ generateProof(id: "${head?.id}", type: "block") }`
    const { data, errors } = graphqlOf(await askGraphql(app.port, app.owner.key, query))
    expect(data).toEqual({ generateProof: null })
    expect(errors).toMatchObject([
      {
        path: ['generateProof'],
        extensions: {
          code: 'no_external_commitments',
          fields: [],
          meta: { code: 'no_external_commitments' },
        },
      },
    ])
  })
})

describe('exportOpentimestamps', () => {
  it('answers what JSON:API answers, as its JSON text, and tells why there is no file in its errors', async () => {
    const submit = async (claims: object) => {
      const answer = await ask(app.port, '/api/json/items', {
        key: app.owner.key,
        body: itemBody({ claims }),
      })
      return z.object({ data: z.object({ id: z.string() }) }).parse(answer.json()).data.id
    }
    const item = await submit(claimsOf('a file'))
    const bare = await submit({ name: 'a', metadata: { pages: 12 } })
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const file: unknown = JSON.parse(await textOf(`exportOpentimestamps(id: "${item}")`))
    expect(file).toEqual(await overJsonApi('opentimestamps', { id: item }))
    const { errors } = graphqlOf(
      await askGraphql(app.port, app.owner.key, `{ exportOpentimestamps(id: "${bare}") }`),
    )
    expect(errors).toMatchObject([
      { extensions: { code: 'not_expressible', meta: { reason: 'no_file_digest' } } },
    ])
    expect(await refused('exportOpentimestamps')).toEqual(['required id'])
  })
})

describe('verifyProof', () => {
  const { published, published_cbor_b64 } = bundleNamed('item')

  it('answers the report that JSON:API answers, of the text of a bundle or of its base64', async () => {
    const expected = await overJsonApi('verify', { proof: published, skip_external: true })
    for (const proof of [JSON.stringify(published), published_cbor_b64]) {
      const text = await textOf(
        'verifyProof(proof: $proof, skipExternal: true)',
        { proof },
        '($proof: String)',
      )
      expect(JSON.parse(text)).toEqual(expected)
    }
  })

  it('takes what generateProof answers', async () => {
    const proof = await textOf(`generateProof(id: "${id}", type: "beacon")`)
    const report: unknown = JSON.parse(
      await textOf(
        'verifyProof(proof: $proof, type: "beacon", expectedHash: null)',
        { proof },
        '($proof: String)',
      ),
    )
    expect(report).toMatchObject({ passed: true, source: 'beacon', id })
  })

  it('tells what is no proof, and what is one of another type', async () => {
    expect(await refused('verifyProof')).toEqual(['required proof'])
    expect(await refused('verifyProof(proof: "{}")')).toEqual(['invalid_proof'])
    const variables = { proof: JSON.stringify(published) }
    expect(
      await refused(
        'verifyProof(proof: $proof, type: "block", skipExternal: true)',
        variables,
        '($proof: String)',
      ),
    ).toEqual(['subject_type_mismatch'])
  })

  it('tells a budget that is spent, for each field that met it', async () => {
    const poor = await openTestApp({ beside: app, limits: { ...AMPLE, LIMIT_PROOF_VERIFY_PER_MINUTE: 1 } })
    const { key } = await app.account('grace')
    try {
      const query = `query ($proof: String) {
        first: verifyProof(proof: $proof, skipExternal: true)
        second: verifyProof(proof: $proof, skipExternal: true) }`
      const variables = { proof: JSON.stringify(published) }
      const { data, errors } = graphqlOf(await askGraphql(poor.port, key, query, { variables }))
      expect(Object.values(data ?? {}).filter((report) => report === null)).toHaveLength(1)
      expect(errors).toMatchObject([{ extensions: { code: 'rate_limited' } }])
    } finally {
      await poor.close()
    }
  })
})
