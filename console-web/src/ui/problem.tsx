// Why something was not done, or cannot be done. A screen reader reads it at once.
import type { ReactNode } from 'react'

/** Nothing where there is no reason. */
export const Problem = ({ children, testId }: { children: ReactNode; testId?: string | undefined }) =>
  children == null || children === false ? null : (
    <p className="problem" role="alert" data-testid={testId}>
      {children}
    </p>
  )
