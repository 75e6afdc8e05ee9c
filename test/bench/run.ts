// `npm run bench [-- <part of a name>]`: measures the service and a bare baseline in the same run and prints
// the ratios.
import { broadcastBeacon } from './broadcast_beacon.ts'
import { createItem } from './create_item.ts'
import { deliverWebhooks } from './deliver_webhooks.ts'
import { finalizeLargeBlock } from './finalize_block.ts'
import { generateManyProofs } from './generate_proof.ts'
import { openGround } from './ground.ts'
import type { Measure } from './measurement.ts'
import { buildLargeTree } from './merkle_build.ts'
import { pruneManyDeliveries } from './prune_deliveries.ts'
import { beaconByHash, graphqlBeacons, itemPage, latestBeacon } from './read_route.ts'
import { runMeasures } from './run_measures.ts'
import { verifyOneProof } from './verify_proof.ts'

const MEASURES: Readonly<Record<string, Measure>> = {
  'create-item': createItem,
  'finalize-block': finalizeLargeBlock,
  'read-latest-beacon': latestBeacon,
  'read-beacon-by-hash': beaconByHash,
  'read-item-page': itemPage,
  'read-graphql-beacons': graphqlBeacons,
  'broadcast-beacon': broadcastBeacon,
  'deliver-webhooks': deliverWebhooks,
  'prune-deliveries': pruneManyDeliveries,
  'generate-proof': generateManyProofs,
  'verify-proof': verifyOneProof,
  'merkle-build': buildLargeTree,
}

const [wanted = ''] = process.argv.slice(2)
if (wanted === '--help') {
  process.stdout.write(
    `Usage: npm run bench [-- <part of a name>]\nMeasures: ${Object.keys(MEASURES).join(', ')}\n`,
  )
  process.exit(0)
}
const say = (line: string) => void process.stderr.write(`${line}\n`)

const chosen = Object.fromEntries(Object.entries(MEASURES).filter(([name]) => name.includes(wanted)))
const failed = await runMeasures(chosen, {
  openGround,
  say,
  print: (text) => void process.stdout.write(text),
})
process.exit(failed.length === 0 ? 0 : 1)
