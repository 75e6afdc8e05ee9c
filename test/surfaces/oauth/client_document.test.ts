// How long a document about a client is remembered, whatever became of reading it.
import { beforeEach, describe, expect, it } from 'vitest'
import { clientDocuments } from '../../../server/surfaces/oauth/clients.ts'

const ID = 'https://client.example/client.json'
const MINUTE = 60_000

let now: number
let reads: string[]
let answer: () => Promise<{ status: number; document?: object }>
let charged: number
beforeEach(() => {
  now = 0
  reads = []
  charged = 0
  answer = async () => ({ status: 200, document: documentOf(ID) })
})

const documentOf = (client_id: string, name = 'A client') => ({
  client_id,
  client_name: name,
  redirect_uris: ['https://client.example/callback'],
})

const open = () =>
  clientDocuments({
    get: async (url) => {
      reads.push(url.href)
      const { status, document = {} } = await answer()
      return {
        status,
        contentType: 'application/json',
        retryAfter: undefined,
        body: Buffer.from(JSON.stringify(document)),
        isFlood: false,
      }
    },
    charge: async () => {
      charged += 1
    },
    onRefused: () => undefined,
    now: () => now,
  })

describe('a document', () => {
  it('is read once for requests at once, and again after ten minutes', async () => {
    const find = open()
    const found = await Promise.all([find(ID), find(ID), find(ID)])
    expect(found.map((one) => one?.client_name)).toEqual(Array(3).fill('A client'))
    now = 10 * MINUTE - 1
    await find(ID)
    expect(reads).toHaveLength(1)
    now = 10 * MINUTE
    answer = async () => ({ status: 200, document: documentOf(ID, 'Another name') })
    expect((await find(ID))?.client_name).toBe('Another name')
    expect(reads).toHaveLength(2)
  })

  it('that is refused is asked for again after a minute, and not before', async () => {
    const find = open()
    answer = async () => ({ status: 404 })
    for (now = 0; now < MINUTE; now += 10_000) expect(await find(ID)).toBeUndefined()
    expect(reads).toHaveLength(1)
    answer = async () => ({ status: 200, document: documentOf(ID) })
    expect((await find(ID))?.client_id).toBe(ID)
  })

  it('stands for a day while its host is away, and falls at once when it is gone', async () => {
    const find = open()
    await find(ID)
    for (const outage of [async () => Promise.reject(new Error('no route')), async () => ({ status: 503 })]) {
      answer = outage
      now += 11 * MINUTE
      expect((await find(ID))?.client_id).toBe(ID)
    }
    now = 24 * 60 * MINUTE + 1
    expect(await find(ID)).toBeUndefined()
    const others = open()
    answer = async () => ({ status: 200, document: documentOf(ID) })
    await others(ID)
    answer = async () => ({ status: 410 })
    now += 11 * MINUTE
    expect(await others(ID)).toBeUndefined()
  })

  it('pushes out the oldest one when there are too many, and each read is charged', async () => {
    const find = open()
    for (let at = 0; at <= 500; at += 1) {
      const id = `https://client.example/${at}`
      answer = async () => ({ status: 200, document: documentOf(id) })
      await find(id)
    }
    await find('https://client.example/500')
    expect(reads).toHaveLength(501)
    await find('https://client.example/0')
    expect(reads).toHaveLength(502)
    expect(charged).toBe(502)
  })
})
