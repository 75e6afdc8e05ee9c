// Baseline: one bare Koa route that hashes each body once and answers with the digest.
import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Koa from 'koa'

const koa = new Koa()
koa.use(async (ctx) => {
  ctx.type = 'application/octet-stream'
  ctx.body = hash('sha256', await buffer(ctx.req), 'buffer')
})
const server = koa.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.stderr.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
