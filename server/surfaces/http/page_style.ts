// The stylesheet of pages that the server makes: the colours of the console, then the rules of those pages.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeldFile } from './send_file.ts'

const THEME = join(import.meta.dirname, 'theme.css')

/** @param rules the path of a file */
export const pageStyle = async (rules: string): Promise<HeldFile> => ({
  type: 'text/css; charset=utf-8',
  bytes: Buffer.concat([await readFile(THEME), await readFile(rules)]),
})
