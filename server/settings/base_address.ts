// The public origin of a server, such as `http://localhost:4000`.
import type { Config } from './read_settings.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'])

/** Where no setting names it, it is the address that people on this machine can open. */
export const baseOf = ({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>): string =>
  baseUrl ?? `http://${LOOPBACK.has(host) ? 'localhost' : host}:${port}`
