// Said wherever a proof is made over a development chain, so that nobody relies on it.
import './proofs.css'

export const TrialNote = () => (
  <p className="trial" data-testid="trial">
    <strong>Trial mode: this proof is for practice.</strong> This service writes to a development chain of its
    own, which proves nothing to outsiders.
  </p>
)
