// Where the public can look at a transaction. Followed by people only: the page asks these places nothing.

const PLACES: Readonly<Record<string, string>> = {
  'bitcoin mainnet': 'https://blockstream.info/tx/',
  'bitcoin testnet': 'https://blockstream.info/testnet/tx/',
  'stellar public': 'https://stellar.expert/explorer/public/tx/',
  'stellar testnet': 'https://stellar.expert/explorer/testnet/tx/',
}

/** Null for a chain without a public place, such as a development chain. */
export const explorerLink = (chain: string, network: string, transactionHash: string): string | null => {
  const place = PLACES[`${chain} ${network}`]
  return place === undefined || !/^[0-9a-f]{64}$/.test(transactionHash) ? null : place + transactionHash
}
