// Roots of time-stamp authorities: got from a service with its keys, and remembered, one file per service.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from '../../../shared/cli/command.ts'
import { askHttp } from '../../../shared/cli/get_bytes.ts'
import { readPem } from '../../../shared/time_stamps/read_pem.ts'
import { configFolder, noneThere, onShelf, replaceFile } from '../files.ts'

const LATIN1 = new TextDecoder('latin1')

const pemOf = (certificate: Uint8Array): string => {
  const lines = Buffer.from(certificate).toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const folderOf = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'time-stamp-roots')

const placeOf = (env: NodeJS.ProcessEnv, name: string): string =>
  join(folderOf(env), `${encodeURIComponent(name)}.pem`)

/**
 * DER. Undefined where the service stamps no time.
 * @param origin of a service that may be asked for keys
 */
export async function findRoot(origin: string): Promise<Uint8Array | undefined> {
  const { status, bytes } = await askHttp(new URL('/tsa/certificates', origin))
  return status === 200 ? readPem(LATIN1.decode(bytes), 'CERTIFICATE')?.at(-1) : undefined
}

/**
 * Beside those that are remembered of the service already.
 * @param name under which its keyring is remembered
 * @returns its SHA-256, hex
 */
export async function rememberRoot({ env }: Surroundings, name: string, root: Uint8Array): Promise<string> {
  const path = placeOf(env, name)
  const pem = pemOf(root)
  await onShelf('roots', folderOf(env), async () => {
    const held = (await readFile(path, 'latin1').catch(noneThere)) ?? ''
    if (!held.includes(pem)) await replaceFile(path, held + pem)
  })
  return createHash('sha256').update(root).digest('hex')
}

export const forgetRoots = ({ env }: Surroundings, name: string): Promise<void> =>
  onShelf('roots', folderOf(env), () => rm(placeOf(env, name), { force: true }))

/** DER, of all services. */
export async function rememberedRoots({ env }: Surroundings): Promise<Uint8Array[]> {
  const folder = folderOf(env)
  const texts = await onShelf('roots', folder, async () => {
    const names = (await readdir(folder).catch(noneThere)) ?? []
    const files = names.filter((name) => name.endsWith('.pem')).sort()
    return Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))
  })
  return texts.flatMap((text) => readPem(text, 'CERTIFICATE') ?? [])
}
