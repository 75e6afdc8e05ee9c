// Counts the credentials that a stream was shown, by type.
import type { Metrics } from '../../kernel/metrics.ts'
import type { Authenticate } from './identify.ts'

/** Handshakes and refreshed tokens. What is no text at all is not counted, because nobody is asked about it. */
export const countCredentials =
  (
    metrics: Pick<Metrics, 'count'>,
    stream: 'console' | 'graphql',
    authenticate: Authenticate,
  ): Authenticate =>
  async (token, resource) => {
    const caller = await authenticate(token, resource)
    const credential = caller?.credential.kind ?? 'refused'
    metrics.count('pharos_stream_credentials_total', { stream, credential })
    return caller
  }
