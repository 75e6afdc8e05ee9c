// The first answer in what came over a raw connection.
import type { Answer } from '../../support/http.ts'

export function answerOf(received: string): Answer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const text = rest.join('\r\n\r\n')
  const headers = fields.map((field) => {
    const [name = '', ...value] = field.split(': ')
    return [name.toLowerCase(), value.join(': ')]
  })
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]),
    headers: Object.fromEntries(headers),
    ...{ bytes: Buffer.from(text, 'latin1'), text },
    json: () => JSON.parse(text),
  }
}
