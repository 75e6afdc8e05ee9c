// What each resource publishes: its fields in order, which of them can be filtered and which sorted by, and its relationships.
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'

interface Published {
  readonly path: string
  /** `F` for a filter, `S` for a sort. */
  readonly fields: Readonly<Record<string, '' | 'F' | 'FS'>>
  readonly relationships: readonly string[]
}

const PUBLISHED: Readonly<Record<string, Published>> = {
  item: {
    path: '/items',
    fields: {
      claims: '',
      claims_hash: 'F',
      metadata_hash: '',
      item_hash: 'F',
      hash: 'F',
      metadata: '',
      signing_key_id: '',
      signature: '',
      state: 'F',
      visibility: 'F',
      tags: 'F',
      display_name: 'FS',
      display_description: '',
      team_id: 'F',
      creator_id: 'F',
      block_id: 'F',
      committed_at: 'F',
      proof_available_at: '',
      redacted_at: '',
      expires_at: 'F',
      inserted_at: 'FS',
      updated_at: '',
    },
    relationships: ['team', 'creator', 'block'],
  },
  block: {
    path: '/blocks',
    fields: {
      height: 'FS',
      block_hash: 'F',
      previous_block_hash: '',
      previous_block_id: '',
      merkle_root: '',
      metadata: '',
      metadata_hash: '',
      signing_key_id: '',
      signature: '',
      state: 'F',
      leaf_count: '',
      item_count: '',
      observation_count: '',
      finalized_at: 'FS',
      committed_at: '',
      inserted_at: '',
      updated_at: '',
    },
    relationships: ['previous', 'next', 'items', 'entropy_observations', 'commitments'],
  },
  beacon: { path: '/beacons', fields: { hash: '', timestamp: '', previous_hash: '' }, relationships: [] },
  entropy_observation: {
    path: '/entropy_observations',
    fields: {
      source: 'F',
      state: 'F',
      entropy: '',
      entropy_hash: 'F',
      metadata: '',
      metadata_hash: '',
      observation_hash: 'F',
      signing_key_id: '',
      signature: '',
      capture_method: '',
      source_published_at: 'FS',
      block_id: 'F',
      inserted_at: 'FS',
    },
    relationships: ['block'],
  },
  epoch: {
    path: '/epochs',
    fields: {
      chain: 'F',
      network: '',
      sequence: 'FS',
      root: 'F',
      first_block_id: '',
      last_block_id: '',
      block_count: '',
      closed_at: 'FS',
    },
    relationships: ['commitment'],
  },
  commitment: {
    path: '/commitments',
    fields: {
      chain: 'F',
      network: '',
      state: 'F',
      epoch_id: '',
      epoch_root: 'F',
      transaction_hash: 'F',
      commitment_hash: '',
      ledger: '',
      block_height: '',
      confirmed_at: 'FS',
      attempts: '',
      error: '',
    },
    relationships: ['epoch'],
  },
  team: {
    path: '/teams',
    fields: { name: 'FS', personal: '', ownership_model: '', role: '', inserted_at: '', updated_at: '' },
    relationships: ['memberships', 'users'],
  },
  membership: {
    path: '/memberships',
    fields: { team_id: 'F', user_id: 'F', role: 'F', state: 'F', inserted_at: '', updated_at: '' },
    relationships: ['team', 'user'],
  },
  user: {
    path: '/users',
    fields: { first_name: '', last_name: '', full_name: '', email: '', plan: '', default_team_id: '' },
    relationships: [],
  },
  api_key: {
    path: '/api-keys',
    fields: { name: '', prefix: '', last_used_at: '', expires_at: '', revoked_at: '' },
    relationships: [],
  },
}

describe.each(Object.entries(PUBLISHED))('%s', (type, { path, fields, relationships }) => {
  const resource = catalog.related(type)
  const all = queryFields(resource)

  it('publishes its fields and relationships', () => {
    expect(resource.path).toBe(path)
    expect(Object.keys(resource.fields)).toEqual(expect.arrayContaining(Object.keys(fields)))
    expect(Object.keys(resource.relationships).toSorted()).toEqual(relationships.toSorted())
  })

  it('can be filtered and sorted by those, and by its id', () => {
    for (const [name, can] of Object.entries({ id: 'FS', ...fields })) {
      if (can.includes('F')) expect(all[name]?.filter, name).toBe(true)
      if (can.includes('S')) expect(all[name]?.sort, name).toBe(true)
    }
  })
})

it('what can change says when it was made and when it changed last', () => {
  const changing = ['item', 'block', 'commitment', 'team', 'membership', 'user', 'api_key']
  for (const type of changing)
    expect(Object.keys(catalog.related(type).fields), type).toEqual(
      expect.arrayContaining(['inserted_at', 'updated_at']),
    )
})
