// Shapes of received objects: what is read, what is left open, and what a page refuses to read.
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { documentOf, includedOf, pageOf } from '../../console-web/src/data/resource.ts'
import {
  called,
  isTrue,
  listOf,
  number,
  numberOrNull,
  objectOrNull,
  oneOf,
  or,
  shape,
  text,
  textOrNull,
  texts,
} from '../../console-web/src/data/shape.ts'

const read = shape({
  id: text,
  lastUsedAt: textOrNull,
  owner: called('full_name', or(textOrNull, 'nobody')),
  size: numberOrNull,
  tags: texts,
  isOpen: isTrue,
  state: or(oneOf(['on', 'off']), 'off'),
  parts: listOf(shape({ number })),
  claims: objectOrNull,
})

const WHOLE = {
  id: 'one',
  last_used_at: '2027-01-01T00:00:00Z',
  full_name: 'Ada',
  size: 3,
  tags: ['a', 1, 'b'],
  is_open: true,
  state: 'on',
  parts: [{ number: 1 }, { number: 2 }],
  claims: { name: 'x' },
}

describe('a shape', () => {
  it('reads each member by its name on the wire, and nothing else', () => {
    expect(read({ ...WHOLE, secret: 'is not read' })).toEqual({
      id: 'one',
      lastUsedAt: '2027-01-01T00:00:00Z',
      owner: 'Ada',
      size: 3,
      tags: ['a', 'b'],
      isOpen: true,
      state: 'on',
      parts: [{ number: 1 }, { number: 2 }],
      claims: { name: 'x' },
    })
  })

  it('leaves open what need not be there', () => {
    const nothing = { lastUsedAt: null, owner: 'nobody', size: null, tags: [], isOpen: false }
    const open = { id: 'one', ...nothing, state: 'off', parts: [], claims: null }
    expect(read({ id: 'one' })).toEqual(open)
    const wrong = { last_used_at: 7, full_name: {}, size: '3', tags: 'a', is_open: 'yes', state: 'new' }
    expect(read({ id: 'one', ...wrong, parts: 'x', claims: [] })).toEqual(open)
    expect(read({ id: 'one', size: Number.POSITIVE_INFINITY }).size).toBeNull()
  })

  it.each([
    ['no object', 'one'],
    ['nothing', null],
    ['a list', [WHOLE]],
    ['an object without what is needed', { ...WHOLE, id: undefined }],
    ['something else in its place', { ...WHOLE, id: 7 }],
    ['an inherited member', Object.create(WHOLE)],
    ['a part that is none', { ...WHOLE, parts: [{ number: 1 }, 'two'] }],
  ])('refuses %s', (_, value) => {
    const refused = () => read(value)
    expect(refused).toThrow(ApiFailure)
    expect(refused).toThrow('The server sent something that this page cannot read.')
  })
})

it('a resource is read by its id and its attributes, alone, in a page, and beside others', () => {
  const named = shape({ id: text, name: text })
  const resource = (type: string, id: string) => ({
    type,
    id,
    attributes: { name: `the ${id}`, id: 'another' },
  })
  const one = { id: 'one', name: 'the one' }
  expect(documentOf(named)({ data: resource('thing', 'one') })).toEqual(one)
  const links = { next: 'https://elsewhere.example/api/json/things?page[after]=x', prev: null }
  expect(pageOf(named)({ data: [resource('thing', 'one')], links })).toEqual({
    rows: [one],
    next: '/api/json/things?page[after]=x',
    previous: null,
  })
  const document = { data: [], included: [resource('other', 'two'), resource('thing', 'one')] }
  expect(includedOf(document, 'thing', named)).toEqual([one])
})
