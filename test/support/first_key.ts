import { readFile } from 'node:fs/promises'
import { firstStartFile } from '../../server/start/first_account.ts'
import { eventually } from './http.ts'

/**
 * The API key that a first start makes. It is shown before it counts, so this waits until the service knows it.
 * @param base where the service answers
 */
export const firstKey = (dataDir: string, base: string): Promise<string> =>
  eventually(async () => {
    const text = await readFile(firstStartFile(dataDir), 'utf8').catch(() => '')
    const [key] = /phk_\w+/.exec(text) ?? []
    if (key === undefined) return
    const { status } = await fetch(`${base}/api/json/items`, { headers: { authorization: `Bearer ${key}` } })
    return status === 200 ? key : undefined
  })
