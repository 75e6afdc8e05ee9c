// A few lines about the outside services that this service depends on.
import './outside.css'
import { useOutside } from './use_outside.ts'

export const OutsideWorld = () => {
  const lines = useOutside()
  if (lines === null) return null
  return (
    <ul className="outside" aria-label="The outside world" data-testid="outside">
      {lines.map(({ tone, words }) => (
        <li key={words} data-tone={tone}>
          {words}
        </li>
      ))}
    </ul>
  )
}
