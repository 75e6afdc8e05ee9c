// The list of deliveries, newest first. Only the rows near the window are rendered, and rows in view stay in
// place.
import './webhooks.css'
import { useRef } from 'react'
import { count } from '../ui/format_count.ts'
import type { OlderPages } from '../ui/older_line.tsx'
import { OlderLine } from '../ui/older_line.tsx'
import { ROW_HEIGHT, useWindowRows } from '../ui/use_window_rows.ts'
import { type Delivery, shownStatus } from './delivery.ts'
import { MAX_ROWS } from './delivery_filter.ts'
import { DeliveryRow } from './delivery_row.tsx'

type DeliveryRowsProps = {
  readonly rows: readonly Delivery[]
  readonly arrived: string | null
  readonly older: OlderPages
  readonly nameOf: (endpointId: string) => string
  readonly onOlder: () => void
}

export const DeliveryRows = ({ rows, arrived, older, nameOf, onOlder }: DeliveryRowsProps) => {
  const box = useRef<HTMLOListElement>(null)
  const { items, top } = useWindowRows(rows, box, older, onOlder)
  return (
    <>
      <ol
        className="rows delivery-rows"
        ref={box}
        style={{ height: rows.length * ROW_HEIGHT }}
        aria-label="Deliveries, newest first"
      >
        {items.map((item) => {
          const delivery = rows[item.index]
          if (delivery === undefined) return null
          return (
            <li
              key={delivery.id}
              data-testid="delivery-row"
              data-id={delivery.id}
              data-status={shownStatus(delivery)}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start - top}px)` }}
            >
              <DeliveryRow
                delivery={delivery}
                to={nameOf(delivery.endpointId)}
                arrived={delivery.id === arrived}
              />
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && (
        <OlderLine
          older={older}
          rows="deliveries"
          end="That is all. Deliveries are kept for 31 days."
          bounded={`This page keeps the newest ${count(MAX_ROWS)}; narrow the filter to see older ones.`}
          onOlder={onOlder}
        />
      )}
    </>
  )
}
