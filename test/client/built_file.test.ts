// The committed command line is made from the sources beside it, and needs nothing but Node.
import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { BUILT_FILE, bundledText } from '../../server/client/build.ts'

describe('the built verifier', { timeout: 120_000 }, () => {
  it('is what the sources make: run `node server/start.js server/client/build.ts` when this fails', async () => {
    expect((await bundledText()) === (await readFile(BUILT_FILE, 'utf8'))).toBe(true)
  })

  it('may be run, and imports only what every Node has', async () => {
    expect((await stat(BUILT_FILE)).mode & 0o111).toBe(0o111)
    const text = await readFile(BUILT_FILE, 'utf8')
    expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
    const imported = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
    expect(text).not.toMatch(/\brequire\(|\bimport\(/)
  })
})
