// Roots of time-stamp authorities: read from files that a person names, or remembered beside the keyring of their service.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from '../../../shared/cli/command.ts'
import { askHttp } from '../../../shared/cli/get_bytes.ts'
import { codeOf } from '../../../shared/cli/terminal.ts'
import { readPem } from '../../../shared/time_stamps/read_pem.ts'
import { configFolder, onShelf, replaceFile } from '../files.ts'

const LATIN1 = new TextDecoder('latin1')

const pemOf = (certificate: Uint8Array): string => {
  const lines = Buffer.from(certificate).toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const folderOf = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'time-stamp-roots')

const placeOf = (env: NodeJS.ProcessEnv, name: string): string =>
  join(folderOf(env), `${encodeURIComponent(name)}.pem`)

/**
 * Asks a service for the root of its time-stamp authority, and remembers it beside those that are remembered of it already.
 * @param origin of the service, which was asked for its keys in the same way
 * @param name under which its keyring is remembered
 * @returns the SHA-256 of the root, hex. Undefined where the service stamps no time.
 */
export async function rememberRoot(
  { env }: Surroundings,
  origin: string,
  name: string,
): Promise<string | undefined> {
  const { status, bytes } = await askHttp(new URL('/tsa/certificates', origin))
  const root = status === 200 ? readPem(LATIN1.decode(bytes), 'CERTIFICATE')?.at(-1) : undefined
  if (root === undefined) return undefined
  const path = placeOf(env, name)
  const pem = pemOf(root)
  await onShelf('roots', folderOf(env), async () => {
    const held = (await readFile(path, 'latin1').catch(nothing)) ?? ''
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
    const names = (await readdir(folder).catch(nothing)) ?? []
    const files = names.filter((name) => name.endsWith('.pem')).sort()
    return Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))
  })
  return texts.flatMap((text) => readPem(text, 'CERTIFICATE') ?? [])
}

const nothing = (error: unknown): undefined => {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
