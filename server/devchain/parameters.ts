// The rules of regtest as Bitcoin Core has them, and a few choices of our own. Amounts are in satoshis; the RPC
// protocol has whole coins.

export const COIN = 100_000_000

/** Number of blocks between two halvings of the subsidy. */
const HALVING_INTERVAL = 150

/** The amount that a block at this height may create, 50 BTC at first. */
export const subsidyAt = (height: number): number =>
  Math.floor((50 * COIN) / 2 ** Math.floor(height / HALVING_INTERVAL))

/** Compact form of the easiest target. Every second hash meets it. */
export const BITS = 0x207f_ffff
export const BLOCK_VERSION = 0x2000_0000

/** The output of a coinbase can be spent this many blocks later. */
export const COINBASE_MATURITY = 100

/** A header's time must be later than the median of this many headers before it (BIP113). */
export const MEDIAN_SPAN = 11

/** Weight units (BIP141) for transactions: the limit of a block less its header and coinbase. */
export const BLOCK_WEIGHT_LEFT = 4_000_000 - 4_000
/** Heavier transactions are not relayed. */
export const STANDARD_WEIGHT = 400_000
/**
 * Minimum size in bytes without witnesses. A shorter transaction could pass for an inner tree node (CVE-2017-12842),
 * so it is not relayed.
 */
export const SHORTEST_TRANSACTION = 65

/**
 * Satoshis per virtual byte: the minimum for relaying and the minimum increase of a replacement, and the wallet's
 * default.
 */
export const RELAY_FEE_RATE = 1
export const WALLET_FEE_RATE = 2
/** A higher fee rate is refused as a mistake of the sender. */
export const MOST_FEE_RATE = 10_000
/** The smallest change output. Smaller change goes to the miner. */
export const DUST = 294

/** Maximum number of transactions in the pool. */
export const POOL_LIMIT = 5_000
/** Maximum number of transactions that one replacement may remove from the pool (BIP125 rule 5). */
export const REPLACEMENT_LIMIT = 100

/** The input sequence that allows a replacement (BIP125), and the one that excludes time locks. */
export const SEQUENCE_REPLACEABLE = 0xffff_fffd
export const SEQUENCE_FINAL = 0xffff_ffff

/** Header and coinbase of the genesis block, with the same bytes as on every regtest node. */
export const GENESIS_HEADER =
  '01000000' +
  '00'.repeat(32) +
  '3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a' +
  'dae5494dffff7f2002000000'
export const GENESIS_COINBASE =
  `01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d010445${Buffer.from(
    'The Times 03/Jan/2009 Chancellor on brink of second bailout for banks',
  ).toString('hex')}` +
  'ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb' +
  '649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

export const inCoins = (satoshis: number): number => satoshis / COIN
