// What is stored of a code, a token or a cookie: its SHA-256. All of them are random, so a plain hash is enough.
import { hash } from 'node:crypto'

export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')
