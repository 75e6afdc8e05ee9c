// A log line says what an error says, whatever shape it comes in.
import { expect, it } from 'vitest'
import { createLog } from '../../server/kernel/log.ts'

it.each([
  ['an error', new Error('the disk is full'), 'the disk is full'],
  [
    'a copy of its parts, as the queue tells of a worker',
    { ...new Error('lost'), message: 'the disk is full', stack: 'at work', queue: 'finalize_block' },
    'the disk is full',
  ],
  ['a text', 'the disk is full', 'the disk is full'],
  ['an object without words', { full: true }, '{ full: true }'],
])('%s is logged with its words, never as [object Object]', (_, err, message) => {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).warn({ err }, 'jobs.failing')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'jobs.failing', err: expect.objectContaining({ message }) }),
  ])
})
