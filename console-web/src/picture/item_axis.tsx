// The scale beside the tiles: what a height means.
import { type ItemScale, shortCount } from './item_scale.ts'

export const ItemAxis = ({ scale }: { scale: ItemScale }) => (
  <div className="item-axis" title="Items in a block, on a logarithmic scale">
    <span className="item-axis-name">items</span>
    {scale.marks.map((mark) => (
      <span key={mark} className="item-axis-mark" style={{ bottom: `${scale.share(mark) * 100}%` }}>
        {shortCount(mark)}
      </span>
    ))}
  </div>
)
