// The line under the picture: the tile that is pointed at or walked to, otherwise the whole picture in words.
import { Link } from 'wouter'
import type { Store } from '../data/store.ts'
import { useStore } from '../data/use_store.ts'
import { count } from '../ui/format_count.ts'
import { epochsOf } from './brackets.ts'
import type { Epoch } from './epoch.ts'
import type { Place } from './measure.ts'
import { tileWords } from './picture_words.ts'
import { blockAddress } from './tile_mark.tsx'

type TileLineProps = {
  readonly places: readonly Place[]
  readonly epochs: readonly Epoch[]
  readonly looked: Store<string | null>
  readonly active: string | null
  readonly summary: string
}

export const TileLine = ({ places, epochs, looked, active, summary }: TileLineProps) => {
  const pointed = useStore(looked)
  const id = pointed ?? active
  const place = id === null ? undefined : places.find(({ tile }) => tile.id === id)
  return (
    <p className="tile-line" data-testid="tile-line">
      {place === undefined ? (
        summary
      ) : (
        <>
          <Link to={blockAddress(place.tile.id)} tabIndex={active === null ? -1 : undefined}>
            Block {count(place.tile.height)}
          </Link>{' '}
          {tileWords(place, epochsOf(epochs, place.tile.id))}
        </>
      )}
    </p>
  )
}
