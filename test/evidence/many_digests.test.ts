// A million digests in one tree: what it takes to make it, to write its manifest, to read that back with every path checked,
// and to make evidence files of a tenth of them. Processes of their own tell their seconds of CPU time and their memory, as
// one command writes a manifest and another reads it.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sizeOf } from '../support/sizes.ts'
import { slowness } from '../support/slowness.ts'
import { makeMemoryFolder } from '../support/temporary_folder.ts'

const ENTRIES = sizeOf('manifest_entries')
const FILES = sizeOf('evidence_files')
/** For a million entries, and for 100,000 files. A start of Node and the first runs of its code are a part of it. */
const SECONDS = 30
/** 300, of which a Node that does nothing takes 50. */
const MEBIBYTES = 250

interface Told {
  readonly seconds: number
  /** Of the evidence files. */
  readonly evidence?: number
  /** Beyond those of its start. */
  readonly mebibytes: number
}

let folder: string
beforeAll(async () => {
  folder = await makeMemoryFolder('pharos-many-')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (phase: 'write' | 'read'): Promise<Told> => {
  const program = join(import.meta.dirname, 'many_digests.ts')
  const words = [program, phase, folder, `${ENTRIES}`, `${FILES}`]
  return JSON.parse((await promisify(execFile)(process.execPath, words)).stdout)
}

it(`${ENTRIES} digests and ${FILES} evidence files take their seconds and no more memory`, async () => {
  const before = slowness()
  const written = await run('write')
  const read = await run('read')
  // Others may have begun or ended in between.
  const slower = Math.max(before, slowness())
  const allowed = (share: number): number => SECONDS * Math.max(share, 0.1) * slower
  const told = JSON.stringify({ written, read, slower })
  expect(written.seconds + read.seconds, told).toBeLessThan(allowed(ENTRIES / 1_000_000))
  expect(read.evidence, told).toBeLessThan(allowed(FILES / 100_000))
  expect(Math.max(written.mebibytes, read.mebibytes), told).toBeLessThan(MEBIBYTES)
})
