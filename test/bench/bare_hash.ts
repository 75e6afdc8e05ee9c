// Baseline: one bare Koa route that hashes each body once and answers with the digest, and one that signs it once (P-256).
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Koa from 'koa'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const koa = new Koa()
koa.use(async (ctx) => {
  ctx.type = 'application/octet-stream'
  const body = await buffer(ctx.req)
  ctx.body = ctx.path === '/tsa' ? sign('sha256', body, privateKey) : hash('sha256', body, 'buffer')
})
const server = koa.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.stderr.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
