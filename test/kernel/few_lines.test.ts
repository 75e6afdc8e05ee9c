// Of lines that anybody can cause a few a second are told, and none is lost without a trace.
import { expect, it } from 'vitest'
import { fewLines } from '../../server/kernel/log.ts'

function listening() {
  const told: object[] = []
  const left: object[] = []
  let ms = 0
  const to = (lines: object[]) => (members: unknown, message?: string) =>
    void lines.push({ ...Object(members), msg: message })
  const note = fewLines({ info: to(told), debug: to(left) }, () => ms)
  const send = (count: number) => {
    for (let sent = 0; sent < count; sent += 1) note({ sent }, 'refused')
  }
  return {
    told,
    left,
    send,
    goOn: (by: number) => {
      ms += by
    },
  }
}

it('ten a second are told as they are, and the others are for debugging', () => {
  const { told, left, send, goOn } = listening()
  send(10)
  expect(told).toEqual(Array.from({ length: 10 }, (_, sent) => ({ sent, msg: 'refused' })))
  goOn(999)
  send(2)
  expect([told.length, left]).toEqual([
    10,
    [
      { sent: 0, msg: 'refused' },
      { sent: 1, msg: 'refused' },
    ],
  ])
})

it('the first of a later second says how many were left out, and only it', () => {
  const { told, send, goOn } = listening()
  send(35)
  goOn(5_000)
  send(2)
  expect(told.slice(10)).toEqual([
    { sent: 0, left_out: 25, msg: 'refused' },
    { sent: 1, msg: 'refused' },
  ])
})
