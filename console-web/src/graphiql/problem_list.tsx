// The problems of a query, one line each. A line links to its place in the text.
import './graphiql.css'
import type { Problem } from './problem.ts'

type ProblemListProps = {
  readonly id: string
  readonly problems: readonly Problem[]
  readonly onGo: (problem: Problem) => void
}

export const ProblemList = ({ id, problems, onGo }: ProblemListProps) => (
  <div id={id} className="problems" role="status">
    {problems.map((problem) => (
      <button
        key={`${problem.from} ${problem.message}`}
        type="button"
        data-testid="query-problem"
        onClick={() => onGo(problem)}
      >
        <span>
          {problem.line}:{problem.column}
        </span>
        {problem.message}
      </button>
    ))}
  </div>
)
