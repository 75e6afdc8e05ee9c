// A short list of items that does not change.
import { ItemRow, type RowItem } from './item_row.tsx'

export const ItemRows = ({ items }: { items: readonly RowItem[] }) => (
  <ul className="thing-rows" data-testid="item-rows">
    {items.map((item) => (
      <li key={item.id}>
        <ItemRow item={item} />
      </li>
    ))}
  </ul>
)
