// Shown until a proof is given: the questions of the verifier, in the order of the chain.
import './verify.css'

export const BeforeProof = () => (
  <section className="before-proof" aria-label="What is checked">
    <ol className="timeline">
      {stations.map(({ name, says }) => (
        <li key={name} data-tone="warn">
          <h3>{name}</h3>
          <p>{says}</p>
        </li>
      ))}
    </ol>
  </section>
)

const stations = [
  { name: 'The data', says: 'are hashed again, here, and compared with your file if you give it.' },
  { name: 'The block', says: 'must contain exactly that hash, and have the hash it claims.' },
  { name: 'The epoch', says: 'must contain that block: its root is what was written on a public chain.' },
  { name: 'The signature', says: 'must cover all of it, by a key of a service you trust.' },
] as const
