// Yes or no: a box with its words.
import type { ReactNode } from 'react'

type CheckProps = {
  readonly isChecked: boolean
  readonly testId?: string
  readonly onCheck: (isChecked: boolean) => void
  readonly children: ReactNode
}

export const Check = ({ isChecked, testId, onCheck, children }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      data-testid={testId}
      checked={isChecked}
      onChange={({ target }) => onCheck(target.checked)}
    />
    <span>{children}</span>
  </label>
)
