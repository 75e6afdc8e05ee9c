// One request of the command line: what it does when the connection is cut before the answer is there.
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getBytes, NoAnswer } from '../../shared/cli/get_bytes.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'

const CEILINGS = { bytes: 1_000, milliseconds: 60_000 }

let server: AnsweringServer
beforeEach(async () => {
  server = await openAnsweringServer()
})
afterEach(() => server.close())

/** Answers so many requests as it is told, and all later ones with 200. */
const troubled = (count: number, first: RequestListener): void => {
  let left = count
  server.answers.set('/', (request, response) => {
    if (left === 0) return void response.end('here')
    left -= 1
    return first(request, response)
  })
}
const get = (question = {}) => getBytes(new URL(server.address), question, CEILINGS)

const cut: RequestListener = ({ socket }) => void socket.destroy()
const cutInside: RequestListener = ({ socket }, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('half', () => socket.destroy())
}
const gateway: RequestListener = (_, response) => void response.writeHead(502).end()

describe('a request', () => {
  it.each([
    ['before its answer', cut],
    ['within its answer', cutInside],
    ['behind a proxy', gateway],
  ])('whose connection is cut %s is made again, a few times', async (_, first) => {
    troubled(2, first)
    expect(await get()).toMatchObject({ status: 200 })
    expect(server.asked).toHaveLength(3)
  })

  it('that changes something is made once, unless it may be repeated', async () => {
    troubled(1, cut)
    await expect(get({ method: 'POST', body: 'x' })).rejects.toThrow(NoAnswer)
    troubled(1, cut)
    expect(await get({ method: 'POST', body: 'x', isRepeatable: true })).toMatchObject({ status: 200 })
  })

  it.each<[string, object]>([
    ['a body that its method may not have', { body: 'x' }],
    ['a header that is none', { headers: { tenant: '日本' } }],
    ['a header that is not sent', { headers: { expect: 'x' } }],
  ])('with %s is not sent, and nobody is blamed for no answer', async (_, question) => {
    const sent = get(question)
    await expect(sent).rejects.toThrow(/cannot be sent/)
    await expect(sent).rejects.not.toBeInstanceOf(NoAnswer)
    expect(server.asked).toEqual([])
  })

  it('is given up when nobody answers, and is not repeated where nobody is', async () => {
    troubled(100, cut)
    await expect(get()).rejects.toThrow(/cannot be reached/)
    expect(server.asked).toHaveLength(4)
    troubled(100, gateway)
    expect(await get()).toMatchObject({ status: 502 })
    await server.close()
    await expect(get()).rejects.toThrow(/cannot be reached/)
    expect(server.asked).toHaveLength(8)
  })
})
