// Whether the ledger goes on from what was signed.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { TreeHead } from '../../../shared/log/checkpoint.ts'
import { readRoot } from '../../../shared/log/tile_reader.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'
import type { LogStanding } from './checkpoint_rows.ts'
import { storedTiles } from './tile_rows.ts'

/** @param standing was read for the size of `signed`, in the same transaction or before */
export async function extendsSigned(
  { em }: { em: EntityManager },
  standing: LogStanding,
  { size, root }: Pick<TreeHead, 'size' | 'root'>,
): Promise<boolean> {
  if (size > standing.leaves) return false
  return bytesEqual(standing.rootAt ?? (await readRoot(storedTiles(em), size)), root)
}
